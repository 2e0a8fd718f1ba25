import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { reviews } from './shopping.ts'
import { createdAt, moment, pictureColumns } from './columns.ts'

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

/** Customers who reported a review to the operator. */
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
    ...pictureColumns('review_pictures'),
    reviewId: text('review_id')
      .notNull()
      .references(() => reviews.id, { onDelete: 'cascade' }),
  },
  table => [index('review_pictures_review').on(table.reviewId)],
)
