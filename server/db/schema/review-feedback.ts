import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { reviews } from './shopping.ts'
import { createdAt, id, moment } from './columns.ts'

const columns = {
  reviewId: text('review_id')
    .notNull()
    .references(() => reviews.id, { onDelete: 'cascade' }),
  userId: text('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  createdAt: createdAt(),
}

/** Customers who found a review helpful. */
export const reviewVotes = pgTable('review_votes', columns, table => [
  primaryKey({ columns: [table.reviewId, table.userId] }),
  index('review_votes_user').on(table.userId),
])

/** Customers who told the operator of a review. */
export const reviewReports = pgTable(
  'review_reports',
  {
    ...columns,
    /** When the operator decided that the review stays. */
    dismissedAt: moment('dismissed_at'),
  },
  table => [primaryKey({ columns: [table.reviewId, table.userId] }), index('review_reports_user').on(table.userId)],
)

/** Pictures that customers add to their reviews. */
export const reviewPictures = pgTable(
  'review_pictures',
  {
    /** Ids increase, so sorting by id gives the order in which the pictures were sent. */
    id: id(),
    reviewId: text('review_id')
      .notNull()
      .references(() => reviews.id, { onDelete: 'cascade' }),
    /** The file's key on the disk or in the bucket. */
    key: text('key').notNull().unique('review_pictures_key'),
    mimeType: text('mime_type').notNull(),
    originalName: text('original_name').notNull(),
    size: integer('size').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
  },
  table => [index('review_pictures_review').on(table.reviewId)],
)
