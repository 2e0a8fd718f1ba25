import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getCart } from '#contract/cart.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/index.ts'
import type { Order } from '#contract/orders.ts'
import { EMPTY_ADDRESS } from '#contract/rules.ts'
import { addresses, auditEvents } from '#server/db/schema.ts'
import { openSellerTokens } from '#server/accounts/seller-tokens.ts'
import { notify } from '#server/notifications/notifications.ts'
import type { Api } from '#lib/api.ts'
import { addProduct, addReview } from '#tests/support/catalogue/catalogue.ts'
import { forgedTokens } from '#tests/support/provider/forged-tokens.ts'
import { addShippable, orderOf, sendGift } from '#tests/support/provider/ordering.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'
import { addReturn } from '#tests/support/provider/returning.ts'
import { CALLS, type Hers, type Name } from '#tests/support/provider/who-may-call.ts'

const NAMES = Object.keys(CALLS) as Name[]
const FOR_CUSTOMERS = NAMES.filter(name => CALLS[name] !== 'public')
const PUBLIC = NAMES.filter(name => CALLS[name] === 'public')
const REACHING = NAMES.filter(name => typeof CALLS[name] === 'function')

const noToken = { error: 'Please login first', code: 'NO_TOKEN' }
const invalidToken = { error: 'Please login first', code: 'INVALID_TOKEN' }
const tokenExpired = { error: 'Token expired, please login again', code: 'TOKEN_EXPIRED' }

let early = 0
const provider = await startProvider({ now: () => Date.now() - early, limits: 'notYours=1000/1h,api=100000/1m' })
afterAll(provider.close)

let grace: Customer
let mallory: Customer
let hers: Hers
let expired: string
let forged: [kind: string, authorization: string][]
let sellers: string

beforeAll(async () => {
  early = 11 * 60_000
  expired = (await provider.customer('Early')).token
  early = 0
  grace = await provider.customer('Grace')
  mallory = await provider.customer('Mallory')
  const product = await addProduct(provider.db)
  await addReview(provider.db, product.id, { userId: grace.id })
  const aside = await addProduct(provider.db)
  await grace.api.addToCart({ userId: grace.id, productId: aside.id, quantity: 1 })
  const { groups: unsaved } = await grace.api.getCart({ userId: grace.id })
  await grace.api.saveForLater({ lineId: unsaved[0]!.products[0]!._id })
  const { lines: saved } = await grace.api.getSavedLines({ userId: grace.id })
  await grace.api.addToCart({ userId: grace.id, productId: product.id, quantity: 2 })
  await grace.api.addToWishlist({ userId: grace.id, productId: product.id })
  const soldOut = await addProduct(provider.db, { stock: 0 })
  await grace.api.addAlert({ productId: soldOut.id })
  const { alerts } = await grace.api.getAlerts({ userId: grace.id })
  const book = { userId: grace.id, label: 'Office', details: EMPTY_ADDRESS }
  const [address] = await provider.db.insert(addresses).values(book).returning()
  const { groups } = await grace.api.getCart({ userId: grace.id })
  const { items } = await grace.api.getWishlist({ userId: grace.id })
  const toy = await addShippable(provider.db)
  const { orderId } = await grace.api.placeOrder(orderOf(grace.id, [toy]))
  const { clientSecret } = await grace.api.startPayment({ orderId })
  const parcelId = await sendGift(provider, grace)
  await notify(provider.db, { userId: grace.id, title: 'For Grace', message: 'Look.' })
  const { notifications } = await grace.api.getNotifications({})
  const { message } = await grace.api.sendMessage({ userId: grace.id, sellerId: product.sellerId, text: 'Hello' })
  const { sessions } = await grace.api.getSessions({})
  hers = {
    userId: grace.id,
    productId: product.id,
    sellerId: product.sellerId,
    lineId: groups[0]!.products[0]!._id,
    itemId: items[0]!._id,
    savedId: saved[0]!._id,
    alertId: alerts[0]!._id,
    addressId: address!.id,
    sessionId: sessions[0]!.id,
    orderId,
    parcelId,
    returnId: await addReturn(provider.db, orderId),
    clientSecret,
    notificationId: notifications[0]!.id,
    messageId: message.id,
    toy,
  }
  sellers = (await openSellerTokens(provider).issue(product.sellerId)).token
  forged = [['a seller’s', `Bearer ${sellers}`], ...(await forgedTokens(provider, grace.token, mallory.id))]
})

async function ask(name: Name, authorization?: string) {
  const { method, path }: Endpoint = endpoints[name]
  const body = method === 'POST' || method === 'PUT' ? { body: '{}' } : {}
  const headers = { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) }
  const answer = await provider.request(`/api${path.replaceAll(/:\w+/g, 'x')}`, { method, headers, ...body })
  return { status: answer.status, body: (await answer.json()) as unknown }
}

test('the list of who may call what has every call of the contract and agrees with isForCustomers', () => {
  expect(NAMES.toSorted((a, b) => a.localeCompare(b))).toEqual(
    Object.keys(endpoints).toSorted((a, b) => a.localeCompare(b)),
  )
  const marked = NAMES.filter(name => (endpoints[name] as Endpoint).isForCustomers)
  expect(marked).toEqual(FOR_CUSTOMERS)
})

test('every call that names customer data is tried with another customer’s data', () => {
  const naming = FOR_CUSTOMERS.filter(name => {
    const { path, input }: Endpoint = endpoints[name]
    // Reviews are everybody's to read, to vote for and to report.
    return (
      /:(?!productId|reviewId)/.test(path) ||
      /"(userId|customerId|orderId|messageId|returnId)"/.test(JSON.stringify(input))
    )
  })
  expect(REACHING).toEqual(naming)
})

test.each(FOR_CUSTOMERS)('%s: returns NO_TOKEN without a token', async name => {
  for (const authorization of [undefined, '', 'Bearer', 'Bearer '])
    expect(await ask(name, authorization)).toEqual({ status: 409, body: noToken })
})

describe.each(FOR_CUSTOMERS.filter(name => name !== 'logout'))('%s', name => {
  test('returns INVALID_TOKEN for forged tokens and for tokens of an ended session', async () => {
    for (const [kind, authorization] of forged)
      expect([kind, await ask(name, authorization)]).toEqual([kind, { status: 409, body: invalidToken }])
  })

  test('returns TOKEN_EXPIRED for an expired token', async () => {
    expect(await ask(name, `Bearer ${expired}`)).toEqual({ status: 409, body: tokenExpired })
  })
})

describe.each(PUBLIC)('%s', name => {
  test('returns the same with any bearer token, and never asks the caller to sign in', async () => {
    const plain = await ask(name)
    for (const authorization of [`Bearer ${expired}`, 'Bearer x', `Bearer ${mallory.token}`, `Bearer ${sellers}`])
      expect(await ask(name, authorization)).toEqual(plain)
    // refreshToken asks for the cookie instead.
    expect(name === 'refreshToken' || plain.status !== 409).toBe(true)
  })
})

/** An order without `secondsLeft`, which differs from one request to the next. */
function withoutTime({ order: { secondsLeft: _, ...order } }: { order: Order }) {
  return order
}

describe('another customer', () => {
  const seen = async () => [
    await grace.api.getCart({ userId: grace.id }),
    await grace.api.getWishlist({ userId: grace.id }),
    await grace.api.getOwnReview({ productId: hers.productId }),
    await grace.api.getAccount({}),
    await grace.api.getOrder({ orderId: hers.orderId }).then(withoutTime),
    await grace.api.getOrders({ userId: grace.id, status: 'all' }),
    await grace.api.getNotifications({}),
    await grace.api.getMessages({ sellerId: hers.sellerId }),
  ]
  let before: Awaited<ReturnType<typeof seen>>
  beforeAll(async () => {
    before = await seen()
  })
  const reach = async (name: Name, api: Api, whose: Hers) => {
    const inputOf = CALLS[name] as (hers: Hers) => never
    return api[name](inputOf(whose)).then(
      () => ({ status: 200 }),
      (error: unknown) => error as { status: number; message: string },
    )
  }

  test.each(REACHING)('%s: gets 404 for Grace’s data and changes nothing', async name => {
    const missing = Object.fromEntries(Object.keys(hers).map(key => [key, `no-${key}`])) as unknown as Hers
    const absent = { ...missing, productId: hers.productId, sellerId: hers.sellerId, toy: hers.toy }

    const refused = await reach(name, mallory.api, hers)

    expect(refused).toMatchObject({ status: 404 })
    expect(refused).toEqual(await reach(name, mallory.api, absent))
    expect(await seen()).toEqual(before)
  })

  test.each(REACHING)('%s: rejects a token of Grace’s seller and changes nothing', async name => {
    const refused = await reach(name, provider.apiOf(sellers), hers)

    expect(refused).toMatchObject({ status: 409, code: 'INVALID_TOKEN' })
    expect(await seen()).toEqual(before)
  })

  test('is recorded in the audit when they name Grace’s id as their own', async () => {
    const bearer = { headers: { authorization: `Bearer ${mallory.token}` } }
    const path = `/api${getCart.path.replace(':id', grace.id)}`

    expect((await provider.requestFrom('6.6.6.6', path, bearer)).status).toBe(404)

    const events = await provider.db.select().from(auditEvents).where(eq(auditEvents.ip, '6.6.6.6'))
    expect(events).toMatchObject([{ event: 'not_yours', outcome: 'refused', actorId: mallory.id, details: { path } }])
  })

  test('reads and changes only their own review, account and session', async () => {
    const written = await grace.api.getOwnReview({ productId: hers.productId })
    expect(await mallory.api.getOwnReview({ productId: hers.productId })).toEqual({ review: null, votes: [] })
    await mallory.api.submitReview({ productId: hers.productId, review: 'Mine.', rating: 1 })
    await mallory.api.logout({})

    expect(await grace.api.getOwnReview({ productId: hers.productId })).toEqual(written)
    expect(await grace.api.getAccount({})).toMatchObject({ currency: 'USD' })
  })
})
