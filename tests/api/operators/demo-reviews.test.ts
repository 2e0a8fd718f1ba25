import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import * as tables from '#server/db/schema.ts'
import { readContent } from '#server/operators/demo/content.ts'
import { startDemo } from '#tests/support/provider/demo.ts'

const { api, db, request, close, demo } = await startDemo()
afterAll(close)
await demo.seed()

test('the demo has reviews of verified buyers and of others, long and short ones, and critical ones', async () => {
  const written = await db.select().from(tables.reviews)
  const countOf = (isSo: (review: (typeof written)[number]) => boolean) => written.filter(isSo).length
  expect(countOf(({ isVerifiedBuyer }) => isVerifiedBuyer)).toBe(450)
  expect(countOf(({ rating }) => rating < 3)).toBeGreaterThan(20)
  expect(countOf(({ review }) => review.length > 250)).toBeGreaterThan(6)
  expect(countOf(({ review }) => review.length < 40)).toBeGreaterThan(200)
})

test('the demo has reviews with one to three pictures each, which can be seen, also after a reset', async () => {
  const { product } = await api.getProduct({ id: 'elbe-over-ear-headphones' })
  const seen = async () => {
    const { reviews } = await api.getReviews({ productId: product._id })
    const pictures = reviews.flatMap(review => review.pictures)
    const sizes = pictures.map(async ({ url }) => {
      const { width, height } = await sharp(await (await request(url)).arrayBuffer()).metadata()
      return { width, height }
    })
    expect(await Promise.all(sizes)).toEqual(pictures.map(({ width, height }) => ({ width, height })))
    return pictures.map(({ _id }) => _id)
  }
  const counts = (await readContent()).reviews.flatMap(({ images }) => images?.length ?? [])
  expect([counts.length, Math.min(...counts), Math.max(...counts)]).toEqual([14, 1, 3])
  expect(await db.$count(tables.reviewPictures)).toBe(counts.reduce((sum, count) => sum + count, 0))

  const before = await seen()
  await demo.reset()

  expect(before).toHaveLength(3)
  expect(await seen()).toEqual(before)
})
