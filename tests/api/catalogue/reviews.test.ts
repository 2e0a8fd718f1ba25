import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { products, sellers } from '#server/db/schema.ts'
import { rateProducts } from '#server/catalogue/ratings.ts'
import { refreshUnitsSold } from '#server/catalogue/upkeep.ts'
import { addOrder, addProduct, addReview, addSeller } from '#tests/support/catalogue/catalogue.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, api, close } = await startProvider()
afterAll(close)

const ask = (productId: string, page?: number) => api.getReviews({ productId, page })

async function storedProduct(id: string) {
  const [row] = await db.select().from(products).where(eq(products.id, id))
  return row!
}

describe('reviews', () => {
  test('are sorted newest first, five per page, with the count for each rating', async () => {
    const { id } = await addProduct(db)
    for (const [at, rating] of [5, 5, 4, 1, 5, 4].entries()) {
      await addReview(db, id, { name: `N${at}`, rating, createdAt: new Date(Date.UTC(2025, 0, 1 + at)) })
    }

    const first = await ask(id)
    const second = await ask(id, 2)

    expect(first.reviews.map(({ name }) => name)).toEqual(['N5', 'N4', 'N3', 'N2', 'N1'])
    expect(second.reviews.map(({ name }) => name)).toEqual(['N0'])
    expect(first.total).toBe(6)
    expect(first.countByRating).toEqual([
      { rating: 5, count: 3 },
      { rating: 4, count: 2 },
      { rating: 3, count: 0 },
      { rating: 2, count: 0 },
      { rating: 1, count: 1 },
    ])
    expect((await api.getProduct({ id, reviewPage: 2 })).reviews).toEqual(second)
    expect(await api.getProduct({ id })).not.toHaveProperty('reviews')
  })

  test('are sorted by rating, newest first among equals, and filtered by stars', async () => {
    const { id } = await addProduct(db)
    for (const [at, rating] of [5, 2, 4, 2, 5, 2, 2, 2, 2].entries()) {
      await addReview(db, id, { name: `N${at}`, rating, createdAt: new Date(Date.UTC(2025, 0, 1 + at)) })
    }
    await addReview(db, id, { name: 'Hidden', rating: 2, isHidden: true })
    const names = async (query: Omit<Parameters<typeof api.getReviews>[0], 'productId'>) =>
      (await api.getReviews({ productId: id, ...query })).reviews.map(({ name }) => name)

    expect(await names({ sort: 'highest' })).toEqual(['N4', 'N0', 'N2', 'N8', 'N7'])
    expect(await names({ sort: 'lowest', page: 2 })).toEqual(['N1', 'N2', 'N4', 'N0'])
    expect(await names({ stars: 2 })).toEqual(['N8', 'N7', 'N6', 'N5', 'N3'])
    expect(await names({ stars: 2, page: 2 })).toEqual(['N1'])
    expect(await names({ stars: 5, sort: 'lowest' })).toEqual(['N4', 'N0'])
    expect(await names({ stars: 1 })).toEqual([])
    const { total, countByRating } = await api.getReviews({ productId: id, stars: 2 })
    expect(total).toBe(9)
    expect(countByRating.map(({ count }) => count)).toEqual([2, 1, 0, 6, 0])
  })

  test('contain author, text, rating, date and whether the author bought the product', async () => {
    const { id } = await addProduct(db)
    const written = await addReview(db, id, {
      name: 'José',
      review: 'Très bien <b>!</b>',
      rating: 4,
      isVerifiedBuyer: true,
      createdAt: new Date('2025-03-04T05:06:07Z'),
    })

    const { reviews } = await ask(id)

    expect(reviews).toEqual([
      {
        _id: written.id,
        name: 'José',
        review: 'Très bien <b>!</b>',
        rating: 4,
        date: '2025-03-04T05:06:07.000Z',
        verifiedBuyer: true,
        helpful: 0,
        pictures: [],
      },
    ])
  })

  test('are empty for an unrated product and beyond the last page', async () => {
    const { id } = await addProduct(db)
    expect(await ask(id)).toMatchObject({ reviews: [], total: 0 })

    await addReview(db, id)
    expect(await ask(id, 1_000_000_000)).toMatchObject({ reviews: [], total: 1 })
  })

  test('return 404 for a hidden or missing product', async () => {
    const { id } = await addProduct(db, { isHidden: true })
    await addReview(db, id)

    await expect(ask(id)).rejects.toMatchObject({ status: 404, message: 'Product not found' })
    await expect(ask('nothing')).rejects.toMatchObject({ status: 404, message: 'Product not found' })
  })
})

describe('ratings', () => {
  test('are the mean of the reviews; a shop’s rating is the mean of its rated products', async () => {
    const { id: sellerId } = await addSeller(db)
    const train = await addProduct(db, { sellerId })
    const kite = await addProduct(db, { sellerId })
    await addProduct(db, { sellerId })
    for (const rating of [5, 4, 4]) await addReview(db, train.id, { rating })
    await addReview(db, kite.id, { rating: 2 })

    await rateProducts(db, [train.id, kite.id])

    expect(await storedProduct(train.id)).toMatchObject({ rating: 4.33, ratingCount: 3 })
    expect(await storedProduct(kite.id)).toMatchObject({ rating: 2, ratingCount: 1 })
    const [seller] = await db.select().from(sellers).where(eq(sellers.id, sellerId))
    expect(seller?.rating).toBe(3.17)
  })

  test('return to zero when there are no reviews left', async () => {
    const train = await addProduct(db, { rating: 5, ratingCount: 1 })

    await rateProducts(db, [train.id])

    expect(await storedProduct(train.id)).toMatchObject({ rating: 0, ratingCount: 0 })
    const [seller] = await db.select().from(sellers).where(eq(sellers.id, train.sellerId))
    expect(seller?.rating).toBe(0)
  })
})

describe('units sold', () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3600_000)

  test('count only paid orders of the last 90 days', async () => {
    const train = await addProduct(db)
    await addOrder(db, train, { quantity: 2 })
    await addOrder(db, train, { quantity: 3, paidAt: daysAgo(89) })
    await addOrder(db, train, { quantity: 10, paidAt: daysAgo(91) })
    await addOrder(db, train, { quantity: 20, paymentStatus: 'unpaid', paidAt: null })
    await addOrder(db, train, { quantity: 40, paymentStatus: 'refunded' })

    await refreshUnitsSold(db)

    expect((await storedProduct(train.id)).unitsSold).toBe(5)
  })

  test('return to zero without recent orders, and are updated only when they change', async () => {
    const stale = await addProduct(db, { unitsSold: 7 })
    await refreshUnitsSold(db)
    expect((await storedProduct(stale.id)).unitsSold).toBe(0)

    expect(await refreshUnitsSold(db)).toBe(0)
  })
})
