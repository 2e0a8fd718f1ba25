import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { submitReview } from '#contract/reviews.ts'
import { REVIEW_LENGTH } from '#contract/rules.ts'
import { products } from '#server/db/schema.ts'
import { addOrder, addProduct, addReview } from '#tests/support/catalogue/catalogue.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, api, database, customer, request, close } = await startProvider()
afterAll(close)

const STARS = 'Please choose a rating from 1 to 5 stars'

async function ratingOf(id: string) {
  const { product } = await api.getProduct({ id })
  return { rating: product.rating, ratingCount: product.ratingCount }
}

describe('a review', () => {
  test('shows the account’s name instead of the name the client sends, and counts in the rating at once', async () => {
    const grace = await customer('Grace Hopper')
    const { id } = await addProduct(db)
    await addReview(db, id, { rating: 2 })

    const answer = await request(`/api${submitReview.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${grace.token}` },
      body: JSON.stringify({ name: 'Admin', review: '  Flies well. ', rating: 5, productId: id }),
    })

    expect(answer.status).toBe(201)
    const { reviews, total, countByRating } = await api.getReviews({ productId: id, page: 1 })
    expect(reviews[0]).toMatchObject({ name: 'Grace Hopper', review: 'Flies well.', rating: 5, verifiedBuyer: false })
    expect(total).toBe(2)
    expect(countByRating.map(({ count }) => count)).toEqual([1, 0, 0, 1, 0])
    // The mean of 5 and 2.
    expect(await ratingOf(id)).toEqual({ rating: 3.5, ratingCount: 2 })
  })

  test('replaces the customer’s earlier review of the product', async () => {
    const grace = await customer()
    const { id } = await addProduct(db)
    await grace.api.submitReview({ productId: id, review: 'Great', rating: 5 })

    const { message } = await grace.api.submitReview({ productId: id, review: 'It broke', rating: 1 })

    expect(message).toBe('Your review was updated')
    const { reviews, total } = await api.getReviews({ productId: id, page: 1 })
    expect(total).toBe(1)
    expect(reviews).toMatchObject([{ review: 'It broke', rating: 1 }])
    expect(await ratingOf(id)).toEqual({ rating: 1, ratingCount: 1 })
    expect(await grace.api.getOwnReview({ productId: id })).toMatchObject({ review: { review: 'It broke' } })
    const other = await customer()
    expect(await other.api.getOwnReview({ productId: id })).toEqual({ review: null, votes: [] })
  })

  test('by many customers at once gives the right rating', async () => {
    const { id } = await addProduct(db)
    const critics = await Promise.all(Array.from({ length: 8 }, () => customer()))

    await Promise.all(
      critics.map((critic, at) => critic.api.submitReview({ productId: id, review: 'So', rating: (at % 5) + 1 })),
    )

    expect(await ratingOf(id)).toEqual({ rating: 2.63, ratingCount: 8 })
  })

  test('is marked as a verified buyer’s only if the customer has paid for the product', async () => {
    const [buyer, waiting] = [await customer(), await customer()]
    const train = await addProduct(db)
    await addOrder(db, train, { userId: buyer.id })
    await addOrder(db, train, { userId: waiting.id, paymentStatus: 'unpaid', paidAt: null })

    for (const { api } of [buyer, waiting]) await api.submitReview({ productId: train.id, review: 'So', rating: 4 })

    const { reviews } = await api.getReviews({ productId: train.id, page: 1 })
    expect(reviews.filter(({ verifiedBuyer }) => verifiedBuyer)).toHaveLength(1)
  })

  test('clears the product’s cached pages', async () => {
    const grace = await customer()
    const { id } = await addProduct(db)
    const tags: (string | null)[] = []
    await database.settled()
    await database.onChange(tag => tags.push(tag))

    await grace.api.submitReview({ productId: id, review: 'So', rating: 4 })

    // The response comes after the change notification.
    expect(tags).toContain(`product:${id}`)
  })

  test.each([
    { form: { review: ' \n ', rating: 4 }, field: 'review', message: 'Review is required' },
    { form: { review: '\u200B\u2060\u0007', rating: 4 }, field: 'review', message: 'Review is required' },
    { form: { review: 'x'.repeat(REVIEW_LENGTH + 1), rating: 4 }, field: 'review', message: 'Review must' },
    { form: { review: 'a\u0000b', rating: 4 }, field: 'review', message: 'Review must' },
    { form: { review: 'So', rating: 0 }, field: 'rating', message: STARS },
    { form: { review: 'So', rating: 6 }, field: 'rating', message: STARS },
    { form: { review: 'So', rating: 4.5 }, field: 'rating', message: STARS },
    { form: { review: 'So', rating: '5' }, field: 'rating', message: STARS },
  ])('is rejected as malformed: $field of $form.rating', async ({ form, field, message }) => {
    const grace = await customer()
    const { id: productId } = await addProduct(db)

    const answer = await request(`/api${submitReview.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${grace.token}` },
      body: JSON.stringify({ ...form, productId }),
    })

    expect(answer.status).toBe(400)
    const { fields } = (await answer.json()) as { fields: Record<string, string> }
    expect(fields[field]).toContain(message)
    expect(await ratingOf(productId)).toEqual({ rating: 0, ratingCount: 0 })
  })

  test('can be submitted five times a minute at most', async () => {
    const grace = await customer()
    const { id: productId } = await addProduct(db)
    const write = () => grace.api.submitReview({ productId, review: 'So', rating: 4 })
    for (let at = 0; at < 5; at += 1) await write()

    await expect(write()).rejects.toMatchObject({ status: 429 })
  })

  test('is rejected without a signed-in customer and for products that are hidden or missing', async () => {
    const grace = await customer()
    const { id } = await addProduct(db)
    await db.update(products).set({ isHidden: true }).where(eq(products.id, id))

    const review = { review: 'So', rating: 4 }
    await expect(api.submitReview({ productId: id, ...review })).rejects.toMatchObject({ status: 409 })
    for (const productId of [id, 'nothing'])
      await expect(grace.api.submitReview({ productId, ...review })).rejects.toMatchObject({
        status: 404,
        message: 'Product not found',
      })
  })
})
