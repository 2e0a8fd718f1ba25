import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { auditEvents } from '#server/db/schema.ts'
import { addProduct, addReview } from '#tests/support/catalogue/catalogue.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const shop = await startProvider()
const { db, api, customer, close } = shop
afterAll(close)
const market = operatorOf(shop)

/** A product with Grace’s review, which she wrote last, and two imported ones. */
async function reviewed() {
  const grace = await customer('Grace')
  const { id: productId, slug } = await addProduct(db)
  for (const review of ['Old', 'Older']) await addReview(db, productId, { rating: 5, review })
  await grace.api.submitReview({ productId, review: 'It broke', rating: 1, name: 'Grace' })
  const list = async (sort?: 'helpful') => (await api.getReviews({ productId, sort })).reviews
  const { _id: reviewId } = (await list()).find(({ review }) => review === 'It broke')!
  return { grace, productId, slug, reviewId, list }
}

test('customers find a review helpful once each, and can take that back', async () => {
  const { productId, reviewId, list } = await reviewed()
  const [ada, ben] = [await customer(), await customer()]
  const { _id: oldest } = (await list()).at(-1)!

  const votes = await Promise.all([
    ada.api.voteReview({ reviewId: oldest, isHelpful: true }),
    ada.api.voteReview({ reviewId: oldest, isHelpful: true }),
    ben.api.voteReview({ reviewId: oldest, isHelpful: true }),
  ])

  expect(Math.max(...votes.map(({ helpful }) => helpful))).toBe(2)
  expect((await list('helpful'))[0]).toMatchObject({ _id: oldest, helpful: 2 })
  expect(await ada.api.getOwnReview({ productId })).toEqual({ review: null, votes: [oldest] })
  expect(await ben.api.voteReview({ reviewId: oldest, isHelpful: false })).toEqual({ helpful: 1 })
  await ben.api.voteReview({ reviewId, isHelpful: true })
  await market('customer', 'erase', ben.email, '--yes')
  expect((await list()).reduce((sum, { helpful }) => sum + helpful, 0)).toBe(1)
})

test('nobody votes for their own review, and a rewritten review has no votes', async () => {
  const { grace, productId, reviewId, list } = await reviewed()
  const ada = await customer()
  await expect(grace.api.voteReview({ reviewId, isHelpful: true })).rejects.toMatchObject({ status: 422 })
  await ada.api.voteReview({ reviewId, isHelpful: true })

  await grace.api.submitReview({ productId, review: 'It is whole again', rating: 5, name: 'Grace' })

  expect((await list()).find(({ _id }) => _id === reviewId)).toMatchObject({ helpful: 0 })
  await expect(ada.api.voteReview({ reviewId: 'unknown', isHelpful: true })).rejects.toMatchObject({ status: 404 })
})

test('a review is listed for the operator from its first report until it is hidden', async () => {
  const { grace, slug, reviewId, list } = await reviewed()
  const [ada, ben] = [await customer(), await customer()]
  await ada.api.reportReview({ reviewId })
  await ada.api.reportReview({ reviewId })
  await ben.api.reportReview({ reviewId })
  await expect(grace.api.reportReview({ reviewId })).rejects.toMatchObject({ status: 422 })

  const { out } = await market('review', 'reports')

  expect(out).toContain(reviewId)
  expect(out).toMatch(/2 reports.*It broke/)
  await market('review', 'hide', reviewId)
  expect((await market('review', 'reports')).out).not.toContain(reviewId)
  expect((await market('review', 'reports', '--all')).out).toContain(reviewId)
  expect((await list()).map(({ review }) => review)).not.toContain('It broke')
  expect((await api.getProduct({ id: slug })).product.rating).toBe(5)
  await expect(ada.api.voteReview({ reviewId, isHelpful: true })).rejects.toMatchObject({ status: 404 })
})

test('an operator reads the whole text of a review, also of a hidden one', async () => {
  const { grace, productId, reviewId } = await reviewed()
  const words = `${'It broke. '.repeat(30)}Then it fell.`
  await grace.api.submitReview({ productId, review: `${words}\n\nNever again!`, rating: 1, name: 'Grace' })
  await market('review', 'hide', reviewId)

  expect((await market('review', 'list')).out).not.toContain('Then it fell.')
  const { out } = await market('review', 'show', reviewId)

  expect(out).toMatch(new RegExp(`^${reviewId} .* 1 of 5  hidden .*  Grace$`, 'm'))
  expect(out).toContain(`\n    ${words}\n    \n    Never again!\n`)
  expect(await market('review', 'show', 'unknown')).toMatchObject({
    code: 1,
    err: expect.stringContaining("There is no review unknown: 'review list' names them") as string,
  })
})

test('an operator dismisses reports of a review, which stays until another customer reports it', async () => {
  const { grace, productId, reviewId, list } = await reviewed()
  const [ada, ben] = [await customer(), await customer()]
  await ada.api.reportReview({ reviewId })
  expect((await market('doctor')).out).toMatch(/^WAITING \d+ reported review/m)

  expect((await market('review', 'dismiss', reviewId)).out).toContain('Dismissed 1 report of')

  expect((await market('review', 'reports')).out).not.toContain(reviewId)
  expect((await market('review', 'reports', '--all')).out).toContain(reviewId)
  expect((await market('review', 'dismiss', reviewId)).out).toContain('No report of')
  expect((await list()).map(({ review }) => review)).toContain('It broke')
  const audited = await db.select().from(auditEvents).where(eq(auditEvents.event, 'review_reports_dismissed'))
  expect(audited.map(({ details }) => details)).toEqual([{ id: reviewId, productId, count: 1 }])

  await ada.api.reportReview({ reviewId })
  expect((await market('review', 'reports')).out).not.toContain(reviewId)
  await ben.api.reportReview({ reviewId })
  expect((await market('review', 'reports')).out).toContain(reviewId)

  await market('review', 'dismiss', reviewId)
  await grace.api.submitReview({ productId, review: 'It broke again', rating: 1, name: 'Grace' })
  await ada.api.reportReview({ reviewId })
  expect((await market('review', 'reports')).out).toContain(reviewId)
  expect(await market('review', 'dismiss', 'unknown')).toMatchObject({ code: 1 })
})

test('a shop answers a review once, and its author is notified', async () => {
  const { grace, reviewId, list } = await reviewed()

  await market('review', 'answer', reviewId, 'We have sent you a new one.')

  const answered = (await list()).find(({ _id }) => _id === reviewId)
  expect(answered?.answer).toMatchObject({ text: 'We have sent you a new one.' })
  const { notifications } = await grace.api.getNotifications({})
  expect(notifications.map(({ title }) => title)).toContain('Ada Shop answered your review')
  expect(await market('review', 'answer', reviewId, 'Again')).toMatchObject({ code: 1 })
})

test('a shop answers a review again once its author has rewritten it', async () => {
  const { grace, productId, reviewId, list } = await reviewed()
  await market('review', 'answer', reviewId, 'We have sent you a new one.')
  await grace.api.submitReview({ productId, review: 'They never answer', rating: 1, name: 'Grace' })

  expect(await market('review', 'answer', reviewId, 'Did the new one arrive?')).toMatchObject({ code: 0 })

  const answered = (await list()).find(({ _id }) => _id === reviewId)
  expect(answered?.answer).toMatchObject({ text: 'Did the new one arrive?' })
  const { notifications } = await grace.api.getNotifications({})
  expect(notifications.filter(({ title }) => title === 'Ada Shop answered your review')).toHaveLength(2)
  expect(await market('review', 'answer', reviewId, 'Again')).toMatchObject({ code: 1 })
})
