import { answerReview, dismissReports, listReports } from '#server/catalogue/review-feedback.ts'
import { hideReview, type ListedReview, listReviews, readReview } from '#server/catalogue/review-moderation.ts'
import { readPicturesOf } from '#server/catalogue/review-pictures.ts'
import type { AppContext, Handlers, Terminal } from './app-context.ts'
import { many } from './describe.ts'
import { say } from './say.ts'
import { printList } from './table.ts'

/** Handlers of the commands for reviews. */
export const reviewHandlers = {
  async 'review list'({ slug, limit }, context, terminal) {
    return printReviews(await listReviews(context.database.db, slug, limit), { limit, context, terminal })
  },

  async 'review reports'({ isAll, limit }, context, terminal) {
    return printReviews(await listReports(context.database.db, { isAll, limit }), { limit, context, terminal })
  },

  async 'review show'({ id }, context, terminal) {
    const found = await readReview(context.database.db, id)
    return printReviews([found], { limit: Infinity, context, terminal, isWhole: true })
  },

  async 'review dismiss'({ id }, { database }, terminal) {
    const { name, slug, count } = await dismissReports(database.db, id)
    const about = `the review of ${slug} by ${name}`
    return say(
      terminal,
      count === 0 ? `No report of ${about} is open` : `Dismissed ${many(count, 'report')} of ${about}, which stays`,
    )
  },

  async 'review answer'({ id, answer }, { database }, terminal) {
    const { name, slug } = await answerReview(database.db, id, answer)
    return say(terminal, `The review of ${slug} by ${name} is answered now`)
  },

  async 'review hide'({ id, isHidden }, { database }, terminal) {
    const { name, slug, isNew } = await hideReview(database.db, id, isHidden)
    const state = isHidden ? 'hidden' : 'shown'
    return say(terminal, `The review of ${slug} by ${name} is ${state} ${isNew ? 'now' : 'already'}`)
  },
} satisfies Partial<Handlers>

const EXCERPT = 100

interface Printing {
  limit: number
  context: AppContext
  terminal: Terminal
  /** Prints the whole text below the line, not only its beginning. */
  isWhole?: boolean
}

/** Prints a line per review, and below it the signed addresses of its pictures, which work for hidden reviews, too. */
async function printReviews(
  reviews: (ListedReview & { reportCount?: number })[],
  { limit, context: { database, uploads, config }, terminal, isWhole = false }: Printing,
): Promise<number> {
  const pictures = await readPicturesOf(
    database.db,
    reviews.map(({ id }) => id),
  )
  const picturesOf = ({ id }: ListedReview) => pictures.get(id) ?? []
  const rows = reviews.map(review => [
    ...rowOf(review, picturesOf(review).length),
    isWhole ? review.name : `${review.name}: ${review.review.slice(0, EXCERPT)}`,
  ])
  const notes = reviews.map(review => [
    ...(isWhole ? review.review.split('\n') : []),
    ...picturesOf(review).map(each => config.publicUrl + uploads.addressOf(each)),
  ])
  return printList(terminal, rows, { limit, none: 'No review', notes })
}

function rowOf(
  { id, reportCount, createdAt, slug, rating, isHidden }: ListedReview & { reportCount?: number },
  pictureCount: number,
): string[] {
  return [
    id,
    ...(reportCount === undefined ? [] : [many(reportCount, 'report')]),
    createdAt.toISOString().slice(0, 10),
    `${rating} of 5`,
    isHidden ? 'hidden' : 'shown',
    slug,
    pictureCount === 0 ? 'no pictures' : many(pictureCount, 'picture'),
  ]
}
