import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditEvents, orders, payments, users } from '#server/db/schema.ts'
import { settle } from '#server/payments/settling.ts'
import { addReview } from '#tests/support/catalogue/catalogue.ts'
import { photograph } from '#tests/support/uploads/chat-files.ts'
import { unzip } from '#tests/support/uploads/unzip.ts'
import { addAttempt, addShippable, KENYA, orderOf, reportOf } from '#tests/support/provider/ordering.ts'
import type { Customer } from '#tests/support/provider/provider.ts'
import { startUploading } from '#tests/support/provider/uploading-shop.ts'

let late = 0
const shop = await startUploading({ now: () => Date.now() + late, limits: 'dataDownload=1000/1h' })
const { db, sessions, apiOf, customer, get } = shop
afterAll(shop.close)
afterEach(() => {
  late = 0
})

const { post: postal, ...rest } = KENYA
const ADDRESS = { ...rest, postal }
const nothing = { status: 404, body: '{"error":"There is nothing at this address"}' }

let grace: Customer
beforeAll(async () => {
  grace = await customer('Grace')
  await fill(grace, 'Grace')
})

/** Orders, reviews, saves and puts a toy in the cart, and sends a file in chat. */
async function fill(owner: Customer, word: string): Promise<void> {
  const toy = await addShippable(db, { name: `Toy of ${word}` })
  await owner.api.placeOrder(orderOf(owner.id, [toy]))
  await addReview(db, toy.id, { userId: owner.id, name: word, review: `Lovely, says ${word}.` })
  await owner.api.addToWishlist({ userId: owner.id, productId: toy.id })
  await owner.api.addAlert({ productId: toy.id, belowCents: 100 })
  for (const name of ['Home', 'Office'])
    await owner.api.addAddress({ label: `${name} of ${word}`, shippingDetails: ADDRESS })
  await owner.api.addToCart({ userId: owner.id, productId: toy.id, quantity: 1 })
  await shop.sent(owner, [{ name: `${word}.txt`, content: Buffer.from(`File of ${word}`) }], {
    message: `Hi from ${word}`,
  })
}

/** Logs a customer in as a browser does, whose cookie goes with its downloads. */
async function browserOf(owner: Customer) {
  const { token, refreshToken } = await sessions.start(owner)
  return { api: apiOf(token), cookie: { cookie: `rt=${refreshToken}` } }
}

async function responseTo(path: string, headers: Record<string, string>) {
  const response = await get(path, headers)
  return { status: response.status, body: await response.text() }
}

async function download(owner: Customer): Promise<Map<string, Buffer>> {
  const { api, cookie } = await browserOf(owner)
  const { url } = await api.requestData({ password: owner.password })
  const response = await get(url, cookie)
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': 'attachment; filename="my-data.zip"',
    'cache-control': 'no-store',
  })
  return unzip(Buffer.from(await response.arrayBuffer()))
}

describe('a customer who downloads their data', () => {
  test('gets what they ordered, wrote, saved and sent, and nothing of another customer', async () => {
    const ada = await customer('Ada')
    await fill(ada, 'Ada')
    const [order] = await db.select().from(orders).where(eq(orders.userId, ada.id))
    const attempt = await addAttempt(db, { _id: order!.id, priceCents: order!.priceCents })
    const paidWith = { kind: 'card', ending: '4242' } as const
    await settle(db, shop.jobs, attempt.id, reportOf(attempt, { paidWith }))
    const refund = { amountCents: 100, currency: 'USD' }
    await db.insert(payments).values({ orderId: order!.id, attemptId: attempt.id, kind: 'refund', ...refund })

    const files = await download(ada)

    const json = (name: string) => JSON.parse(String(files.get(name))) as unknown
    expect(json('account.json')).toMatchObject({ name: 'Ada', email: ada.email })
    const lines = [{ product: 'Toy of Ada', quantity: 1 }]
    expect(json('orders.json')).toMatchObject([
      {
        address: { country: 'Kenya' },
        paidWith: [paidWith],
        refunds: [{ ...refund, refundedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string }],
        parts: [{ lines }],
        returns: [],
      },
    ])
    expect(json('reviews.json')).toMatchObject([{ product: 'Toy of Ada', review: 'Lovely, says Ada.' }])
    expect(json('wishlist.json')).toMatchObject([{ product: 'Toy of Ada' }])
    expect(json('cart.json')).toMatchObject([{ product: 'Toy of Ada' }])
    expect(json('saved-for-later.json')).toEqual([])
    expect(json('alerts.json')).toMatchObject([{ product: 'Toy of Ada', belowCents: 100 }])
    expect(json('addresses.json')).toMatchObject([{ name: 'Office of Ada', address: { city: 'Nairobi' } }])
    expect(json('devices.json')).toHaveLength(2)
    const chats = json('chats.json') as { files: string[] }[]
    expect(chats).toMatchObject([{ from: 'you', text: 'Hi from Ada' }])
    const [file = ''] = chats[0]!.files
    expect(String(files.get(file))).toBe('File of Ada')
    expect([...files.keys()]).toContain('notifications.json')
    const everything = [...files].flat().join('\n')
    expect(everything).not.toMatch(/Grace/)
  })

  test('gets no password, token or hash', async () => {
    const [row] = await db.select().from(users).where(eq(users.id, grace.id))

    const everything = [...(await download(grace))].flat().join('\n')

    expect(everything).toContain('Grace')
    expect(everything).not.toContain(row!.passwordHash)
    expect(everything).not.toMatch(/hash|refresh|clientSecret/i)
  })

  test('gets all rows, even if they do not fit on one page', async () => {
    const ada = await customer('Ada')
    for (let at = 0; at < 205; at += 1)
      await addReview(db, (await addShippable(db)).id, { userId: ada.id, review: `Review ${at}` })

    const reviews = JSON.parse(String((await download(ada)).get('reviews.json'))) as object[]

    expect(reviews).toHaveLength(205)
  })

  test('gets the pictures of their reviews, each named by its review, and none of another customer', async () => {
    const [ada, eve] = [await customer('Ada'), await customer('Eve')]
    const { id: productId } = await addShippable(db)
    const jpeg = new Uint8Array(await photograph())
    for (const { api } of [ada, eve]) {
      await api.submitReview({ productId, review: 'See for yourself.', rating: 4 })
      const names = ['front.jpg', 'a “back” view.jpg']
      await api.addReviewPictures({ productId, files: names.map(name => new File([jpeg], name)) })
    }
    await ada.api.submitReview({ productId: (await addShippable(db)).id, review: 'No picture.', rating: 3 })

    const files = await download(ada)

    const pictures = [...files.keys()].filter(name => name.startsWith('review-pictures/'))
    expect(pictures).toHaveLength(2)
    expect(pictures[0]).toMatch(/-front\.jpg$/)
    const reviews = JSON.parse(String(files.get('reviews.json'))) as { review: string; pictures: string[] }[]
    expect(reviews).toMatchObject([
      { review: 'See for yourself.', pictures },
      { review: 'No picture.', pictures: [] },
    ])
    for (const name of pictures) {
      const metadata = await sharp(files.get(name)).metadata()
      expect(metadata).toMatchObject({ format: 'jpeg', width: 40, height: 60 })
    }
  })

  test('is recorded in the audit', async () => {
    const ada = await customer('Ada')
    await download(ada)

    const isHers = eq(auditEvents.actorId, ada.id)
    const events = await db.select().from(auditEvents).where(isHers).orderBy(auditEvents.id)
    expect(events.map(({ event }) => event)).toEqual(['data_requested', 'data_downloaded'])
  })

  test('needs their current password', async () => {
    const { api } = await browserOf(grace)

    await expect(api.requestData({ password: 'wrong' })).rejects.toMatchObject({
      status: 422,
      fields: { password: 'This is not your current password' },
    })
  })
})

describe('the address of a download', () => {
  test('does not work for others, when it was changed, or without the browser’s cookie', async () => {
    const { api, cookie } = await browserOf(grace)
    const mallory = await browserOf(await customer('Mallory'))
    const { url } = await api.requestData({ password: grace.password })

    expect(await responseTo(url, mallory.cookie)).toEqual(nothing)
    expect(await responseTo(url, {})).toEqual(nothing)
    expect(await responseTo(url, { cookie: 'rt=x' })).toEqual(nothing)
    expect(await responseTo(url.replace(/expires=\d/, 'expires=9'), cookie)).toEqual(nothing)
    expect(await responseTo(url.replace(/\?.*/, ''), cookie)).toEqual(nothing)
    expect((await get(url, cookie, 'HEAD')).status).toBe(200)
  })

  test('expires after a minute', async () => {
    const { api, cookie } = await browserOf(grace)
    const { url } = await api.requestData({ password: grace.password })
    late = 61_000

    expect(await responseTo(url, cookie)).toEqual(nothing)
  })

  test('ends with the session', async () => {
    const { api, cookie } = await browserOf(grace)
    const { url } = await api.requestData({ password: grace.password })
    await api.logout({})

    expect(await responseTo(url, cookie)).toEqual(nothing)
  })
})

describe('the two slots for archives', () => {
  /** A customer with more data than the buffers between the shop and a client that does not read. */
  async function collector(name: string) {
    const owner = await customer(name)
    await shop.attach(owner, { name: 'long.txt', content: Buffer.alloc(20_000_000, 'x') })
    const { api, cookie } = await browserOf(owner)
    const address = async () => (await api.requestData({ password: owner.password })).url
    /** A download of which nothing is read yet. */
    const begin = async (url: string) => fetch(shop.url + url, { headers: cookie, signal: going.signal })
    return { address, begin }
  }

  let going: AbortController
  let minutes = 0
  beforeEach(() => {
    going = new AbortController()
    // Downloads of the test before, which may not have ended yet, give up their slots.
    minutes += 3
    late = minutes * 60_000
  })
  afterEach(() => going.abort())

  test('are free again when a client goes away', async () => {
    const [ada, eve, joe] = [await collector('Ada'), await collector('Eve'), await collector('Joe')]
    const url = await joe.address()
    const begun = [await ada.begin(await ada.address()), await eve.begin(await eve.address())]
    expect(begun.map(({ status }) => status)).toEqual([200, 200])

    const third = await joe.begin(url)
    expect([third.status, third.headers.get('retry-after')]).toEqual([503, '1'])
    await expect(joe.address()).rejects.toMatchObject({ status: 503 })
    going.abort()
    going = new AbortController()

    await expect.poll(async () => (await joe.begin(await joe.address())).status).toBe(200)
  })

  test('are free for the next customer after two minutes', async () => {
    const [ada, eve, joe] = [await collector('Ada'), await collector('Eve'), await collector('Joe')]
    const slow = await ada.begin(await ada.address())
    await eve.begin(await eve.address())
    late += 2 * 60_000

    const third = await joe.begin(await joe.address())

    expect(third.status).toBe(200)
    await expect(slow.arrayBuffer()).rejects.toThrow('terminated')
  })

  test('cannot both be taken by one customer: a new download ends the one before', async () => {
    const [ada, eve] = [await collector('Ada'), await collector('Eve')]
    const url = await ada.address()
    const first = await ada.begin(url)

    const again = await ada.begin(url)
    const other = await eve.begin(await eve.address())

    expect([again.status, other.status]).toEqual([200, 200])
    await expect(first.arrayBuffer()).rejects.toThrow('terminated')
  })
})
