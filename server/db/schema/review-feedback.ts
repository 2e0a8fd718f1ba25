import { index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { reviews } from './shopping.ts'
import { belongsTo, createdAt, moment, pictureColumns } from './columns.ts'

const columns = {
  reviewId: belongsTo('review_id', () => reviews.id),
  userId: belongsTo('user_id', () => users.id),
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
    reviewId: belongsTo('review_id', () => reviews.id),
  },
  table => [index('review_pictures_review').on(table.reviewId)],
)
