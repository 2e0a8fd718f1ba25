import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { MAX_REVIEW_PICTURES } from '#contract/rules.ts'
import type { ApiError } from '#lib/api.ts'
import { namedKeys } from '#server/uploads/files.ts'
import { reviewPictures } from '#server/db/schema.ts'
import { addProduct } from '#tests/support/catalogue/catalogue.ts'
import { photograph } from '#tests/support/uploads/chat-files.ts'
import { filesIn } from '#tests/support/uploads/uploading.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const shop = await startProvider()
const { db, api, database, customer, newcomer, request, close, uploadsDir } = shop
afterAll(close)
const market = operatorOf(shop)

const bytes = new Uint8Array(await photograph())
const photos = (count: number, name = 'mug') =>
  Array.from({ length: count }, (_, at) => new File([bytes], `${name}-${at}.jpg`))

/** A customer's review of a new product. */
async function reviewed(count = 0) {
  const grace = await customer('Grace')
  const { id: productId } = await addProduct(db)
  const submit = (more: { pictures?: string[] } = {}) =>
    grace.api.submitReview({ productId, review: 'It holds tea', rating: 5, ...more })
  await submit()
  if (count > 0) await grace.api.addReviewPictures({ productId, files: photos(count) })
  return {
    grace,
    productId,
    submit,
    add: (files: File[]) => grace.api.addReviewPictures({ productId, files }),
    shown: async () => (await api.getReviews({ productId })).reviews[0]?.pictures ?? [],
  }
}

describe('the pictures of a review', () => {
  test('are shown to everybody, without what the camera noted, and as thumbnails', async () => {
    const { add, shown, grace, productId } = await reviewed()

    await add(photos(2))

    const pictures = await shown()
    expect(pictures).toMatchObject([
      { width: 40, height: 60 },
      { width: 40, height: 60 },
    ])
    const [first] = pictures
    const whole = await request(first!.url)
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect(whole.headers.get('cache-control')).toBe('public, max-age=300')
    expect(Buffer.from(await whole.arrayBuffer()).includes('Ada at home')).toBe(false)
    const small = await request(first!.thumbnail)
    expect([small.status, small.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect(await sharp(await small.arrayBuffer()).metadata()).toMatchObject({ width: 240, height: 240 })
    const again = await request(first!.thumbnail, { headers: { 'if-none-match': small.headers.get('etag')! } })
    expect(again.status).toBe(304)
    const { review } = await grace.api.getOwnReview({ productId })
    expect((await request(review!.pictures[1]!.url)).status).toBe(200)
  })

  test('are not larger than a laptop’s screen', async () => {
    const { add, shown } = await reviewed()
    const large = await sharp({ create: { width: 3200, height: 1600, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer()

    await add([new File([new Uint8Array(large)], 'large.jpg')])

    expect(await shown()).toMatchObject([{ width: 1600, height: 800 }])
  })

  test('are at most three', async () => {
    const { add, shown } = await reviewed(2)

    await expect(add(photos(2, 'cup'))).rejects.toMatchObject({
      status: 422,
      message: 'A review has at most 3 pictures',
    })

    await add(photos(1, 'cup'))
    expect(await shown()).toHaveLength(MAX_REVIEW_PICTURES)
  })

  test('are stored once, although they are sent again after a lost response', async () => {
    const { add, shown } = await reviewed(2)
    const before = await filesIn(uploadsDir)

    await Promise.all([add(photos(2)), add(photos(2))])

    expect(await shown()).toHaveLength(2)
    expect(await filesIn(uploadsDir)).toEqual(before)
  })

  test('of a customer whose address is unconfirmed take 10 MB at most, also when they are sent at once', async () => {
    const grace = await newcomer('Grace')
    const noise = randomBytes(1500 * 1500 * 3)
    const raw = { width: 1500, height: 1500, channels: 3 } as const
    const large = await sharp(noise, { raw }).png({ compressionLevel: 0 }).toBuffer()
    const products = await Promise.all([addProduct(db), addProduct(db)])
    for (const { id: productId } of products) await grace.api.submitReview({ productId, review: 'Good', rating: 5 })

    const sent = await Promise.allSettled(
      products.map(({ id: productId }) => {
        const files = [new File([new Uint8Array(large)], 'noise.png')]
        return grace.api.addReviewPictures({ productId, files })
      }),
    )

    const refused = sent.filter(each => each.status === 'rejected').map(each => each.reason as ApiError)
    expect(refused).toMatchObject([{ status: 422, message: 'Please confirm your email address to send more files' }])
  })

  test('do not tell everybody how the customer named them', async () => {
    const { add, shown } = await reviewed()
    await add([new File([bytes], 'Ada at home.jpg')])

    const { headers } = await request((await shown())[0]!.url)

    expect(headers.get('content-disposition')).toBe('inline; filename=review.jpeg')
  })

  test('are deleted when the review is written again, except those that the customer keeps', async () => {
    const { submit, shown, grace, productId } = await reviewed(2)
    const [, second] = (await grace.api.getOwnReview({ productId })).review!.pictures

    await submit({ pictures: [second!._id] })
    expect((await shown()).map(({ _id }) => _id)).toEqual([second!._id])

    await submit()
    expect(await shown()).toEqual([])
    expect((await request(second!.url)).status).toBe(404)
  })

  test('of another customer’s review cannot be kept, and need a review of one’s own', async () => {
    const { shown, productId } = await reviewed(1)
    const [hers] = await shown()
    const eve = await customer('Eve')
    const before = await filesIn(uploadsDir)

    await expect(eve.api.addReviewPictures({ productId, files: photos(1) })).rejects.toMatchObject({
      status: 404,
      message: 'Write your review first',
    })
    await eve.api.submitReview({ productId, review: 'Mine', rating: 1, pictures: [hers!._id] })

    expect((await eve.api.getOwnReview({ productId })).review!.pictures).toEqual([])
    expect((await api.getReviews({ productId })).reviews.flatMap(({ pictures }) => pictures)).toEqual([hers])
    expect(await filesIn(uploadsDir)).toEqual(before)
  })

  test('cannot be seen while the review or its product is hidden, except by the author', async () => {
    const { shown, grace, productId } = await reviewed(1)
    const [picture] = await shown()
    const { _id: reviewId } = (await api.getReviews({ productId })).reviews[0]!
    const statuses = async () => [(await request(picture!.url)).status, (await request(picture!.thumbnail)).status]

    await market('review', 'hide', reviewId)
    expect(await statuses()).toEqual([404, 404])
    const { review } = await grace.api.getOwnReview({ productId })
    expect((await request(review!.pictures[0]!.url)).status).toBe(200)
    await market('review', 'hide', reviewId, '--off')
    expect(await statuses()).toEqual([200, 200])

    const { product } = await api.getProduct({ id: productId })
    await market('seller', 'hide', product.sellerId)
    expect(await statuses()).toEqual([404, 404])
  })

  test('are shown to the operator with the review, also while it is hidden', async () => {
    const { shown, grace, productId } = await reviewed(2)
    await (await customer('Ben')).api.submitReview({ productId, review: 'No picture of mine', rating: 2 })
    const { _id: reviewId } = (await api.getReviews({ productId })).reviews.find(({ name }) => name === grace.name)!
    const { slug } = (await api.getProduct({ id: productId })).product
    await (await customer('Ada')).api.reportReview({ reviewId })

    const { out } = await market('review', 'reports')

    expect(out).toMatch(new RegExp(`^${reviewId} .*1 report .* 2 pictures +Grace: It holds tea$`, 'm'))
    await market('review', 'hide', reviewId)
    const listed = (await market('review', 'list', slug)).out
    expect(listed).toMatch(/ no pictures +Ben: No picture of mine$/m)
    const addresses = listed.match(/^ {4}http.*$/gm)!.map(line => new URL(line.trim()))
    expect(addresses.map(({ pathname }) => pathname.split('/').at(-1))).toEqual(['mug-0.jpg', 'mug-1.jpg'])
    for (const { pathname, search } of addresses) expect((await request(pathname + search)).status).toBe(200)
    expect(await shown()).toEqual([])
  })

  test('are all shown when many shoppers open the page at the same time, and while others send pictures', async () => {
    const { shown } = await reviewed(3)
    const { add } = await reviewed()
    const addresses = (await shown()).map(({ thumbnail }) => thumbnail)

    const asked = Array.from({ length: 30 }, () => addresses).flat()
    const [sent, ...answers] = await Promise.all([
      add(photos(1)).then(() => 'sent', String),
      ...asked.map(address => request(address)),
    ])

    expect(sent).toBe('sent')
    expect(answers.map(({ status }) => status)).toEqual(asked.map(() => 200))
  })

  test('purge the product’s page', async () => {
    const { add, productId } = await reviewed()
    const tags: (string | null)[] = []
    await database.onChange(tag => void tags.push(tag))

    await add(photos(1))

    await expect.poll(() => tags).toContain(`product:${productId}`)
  })

  test('are deleted with the customer’s account', async () => {
    const { shown, grace } = await reviewed(1)
    const [picture] = await shown()
    const keys = (await db.select({ key: reviewPictures.key }).from(reviewPictures)).map(({ key }) => key)

    expect(await market('customer', 'erase', grace.email, '--yes')).toMatchObject({ code: 0 })

    expect((await request(picture!.url)).status).toBe(404)
    expect((await namedKeys(db, keys)).size).toBe(keys.length - 1)
  })
})
