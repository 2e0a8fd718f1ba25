import { eq } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { auditEvents, orders, users } from '#server/db/schema.ts'
import { settle } from '#server/payments/settling.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import {
  addAttempt,
  addShippable,
  assertInvariants,
  KENYA,
  orderOf,
  reportOf,
} from '#tests/support/provider/ordering.ts'
import { stockOf } from '#tests/support/catalogue/catalogue.ts'
import type { Customer } from '#tests/support/provider/provider.ts'
import { startSockets } from '#tests/support/provider/sockets.ts'

const shop = await startSockets({ limits: 'placeOrder=1000/1m' })
const { db, api, customer, jobs, close } = shop
afterAll(close)
afterEach(() => assertInvariants(db))

const market = operatorOf(shop)

async function place(ada: Customer & { phone?: string }, product: Parameters<typeof orderOf>[1][number]) {
  const shippingInfo = { ...KENYA, name: ada.name, address: `${ada.name} Lane`, phone: ada.phone ?? KENYA.phone }
  return (await ada.api.placeOrder(orderOf(ada.id, [product], { shippingInfo }))).orderId
}

async function addAttemptTo(ada: Customer, orderId: string) {
  return addAttempt(db, (await ada.api.getOrder({ orderId })).order)
}

const CARD = { kind: 'card', ending: '9931' } as const

async function pay(ada: Customer, orderId: string, paidWith?: typeof CARD) {
  const attempt = await addAttemptTo(ada, orderId)
  await settle(db, jobs, attempt.id, reportOf(attempt, { paidWith }))
}

async function audited(event: string, { id }: Customer) {
  const events = await db.select().from(auditEvents).where(eq(auditEvents.actorId, id))
  return events.filter(each => each.event === event)
}

describe('a blocked customer', () => {
  test('is signed out everywhere and cannot sign in until the operator unblocks them', async () => {
    const ada = await customer()
    const { email, password } = ada
    const { socket, ended } = await shop.window(ada.token)
    const leaving = ended()

    expect(await market('customer', 'block', email.toUpperCase())).toEqual({
      code: 0,
      out: `${email} is blocked: 1 session ended, and nobody can sign in to it\n`,
      err: '',
    })

    await leaving
    expect(socket.connected).toBe(false)
    await expect(ada.api.getAccount({})).rejects.toMatchObject({ status: 409, code: 'INVALID_TOKEN' })
    expect(await shop.refusal(ada.token)).toMatchObject({ data: { code: 'INVALID_TOKEN' } })
    await expect(api.login({ email, password })).rejects.toMatchObject({
      status: 422,
      message: 'This account is blocked. Please contact the marketplace.',
    })
    // Only someone who knows the password learns that the account is blocked.
    await expect(api.login({ email, password: 'Wrong-Horse-9' })).rejects.toMatchObject({
      message: 'Wrong email or password',
    })
    await expect(market('user', 'token', email)).resolves.toMatchObject({
      code: 1,
      err: 'This account is blocked. Please contact the marketplace.\n',
    })
    expect(await audited('login', ada)).toMatchObject([{ outcome: 'refused', details: { reason: 'blocked' } }])

    expect(await market('customer', 'block', email)).toMatchObject({ out: `${email} is blocked already\n` })
    expect((await market('customer', 'show', email)).out).toContain(`Ada Customer <${email}>, blocked\n`)
    expect(await market('customer', 'block', email, '--off')).toMatchObject({
      out: `${email} is no longer blocked\n`,
    })
    await expect(api.login({ email, password })).resolves.toHaveProperty('token')
    expect(await audited('customer_blocked', ada)).toHaveLength(1)
    expect(await audited('customer_unblocked', ada)).toHaveLength(1)
  })

  test('still gets the orders they paid for', async () => {
    const ada = await customer()
    const orderId = await place(ada, await addShippable(db))
    await pay(ada, orderId)
    await market('customer', 'block', ada.email)

    expect(await market('order', 'ship', orderId)).toMatchObject({ code: 0 })
  })
})

describe('an erased customer', () => {
  test('leaves orders and payments behind, but no personal data', async () => {
    const ada = { ...(await customer('Erasable Person')), phone: '+254 799 000000' }
    const { email, password } = ada
    const product = await addShippable(db, { stock: 5 })
    const orderId = await place(ada, product)
    await pay(ada, orderId, CARD)
    expect(await market('customer', 'erase', email, '--yes')).toMatchObject({
      code: 1,
      err: `${email} has paid orders that are not shipped: ship, cancel or refund them first\n`,
    })
    await market('order', 'ship', orderId)
    const unpaid = await place(ada, product)
    const attempt = await addAttemptTo(ada, unpaid)
    await ada.api.addToCart({ userId: ada.id, productId: product.id, quantity: 1 })
    await ada.api.submitReview({ productId: product.id, rating: 4, review: 'Erasable words', name: 'x' })
    await ada.api.sendMessage({ userId: ada.id, sellerId: product.sellerId, text: 'Erasable letter' })
    const { ended } = await shop.window(ada.token)
    const leaving = ended()
    const gone =
      'the account, addresses, cart and wishlist, 1 review and 1 chat; 2 orders stay without name and address'
    expect(await market('customer', 'erase', email)).toEqual({
      code: 3,
      out: '',
      err: `This erases ${email} for good: ${gone}\n`,
    })
    await expect(ada.api.getAccount({})).resolves.toHaveProperty('country')
    expect((await everything()).includes('"ending":"9931"')).toBe(true)

    expect(await market('customer', 'erase', email, '--yes')).toEqual({
      code: 0,
      out: `Erased ${email}: ${gone}\n`,
      err: '',
    })

    await leaving
    await expect(ada.api.getAccount({})).rejects.toMatchObject({ status: 409 })
    await expect(place(ada, product)).rejects.toMatchObject({ status: 409 })
    expect((await api.getReviews({ productId: product.id })).total).toBe(0)
    expect((await api.getProduct({ id: product.id })).product).toMatchObject({ rating: 0, ratingCount: 0 })
    expect(await stockOf(db, product)).toBe(4)
    const dump = await everything()
    expect([email, 'Erasable', '+254 799', '"ending":"9931"'].filter(word => dump.includes(word))).toEqual([])
    const [kept] = await db.select().from(orders).where(eq(orders.id, orderId))
    expect(kept).toMatchObject({ priceCents: 2499, paymentStatus: 'paid', destination: { name: '', country: 'Kenya' } })
    expect((await market('order', 'list')).out).toMatch(new RegExp(`^${kept?.number}  .*  \\(erased\\)$`, 'm'))
    expect((await market('order', 'show', orderId)).out).toContain('\nTo Kenya\n')
    expect(await market('order', 'deliver', orderId)).toMatchObject({ code: 0 })
    // Money that arrives after the erasure is refunded.
    const late = reportOf(attempt, { paidWith: CARD })
    expect(await settle(db, jobs, attempt.id, late)).toMatchObject({ outcome: 'refund' })
    expect((await everything()).includes('"ending":"9931"')).toBe(false)
    expect(await audited('customer_erased', ada)).toMatchObject([{ details: { by: 'operator', orderCount: 2 } }])
    await expect(api.login({ email, password })).rejects.toMatchObject({ message: 'Wrong email or password' })
    await expect(api.register({ name: 'Another Person', email, password })).resolves.toHaveProperty('token')
  })

  test('is not erased while one of their payments is still processing', async () => {
    const ada = await customer()
    const attempt = await addAttemptTo(ada, await place(ada, await addShippable(db)))
    await settle(db, jobs, attempt.id, reportOf(attempt, { status: 'processing' }))

    expect(await market('customer', 'erase', ada.email, '--yes')).toEqual({
      code: 1,
      out: '',
      err: `A payment of ${ada.email} is on its way: erase the account once it is settled\n`,
    })
    await expect(ada.api.getAccount({})).resolves.toHaveProperty('country')
  })
})

test('the operator sees the latest orders of a customer, and how many more there are', async () => {
  const grace = await customer()
  await db.update(users).set({ emailConfirmedAt: new Date() }).where(eq(users.id, grace.id))
  const product = await addShippable(db, { stock: 6 })
  const ordered: string[] = []
  while (ordered.length < 6) {
    // The same order sent twice within ten seconds is one.
    const orderId = await place({ ...grace, phone: `+254 700 00${ordered.length} 000` }, product)
    ordered.push((await grace.api.getOrder({ orderId })).order.number)
  }

  const { out } = await market('customer', 'show', grace.email)

  const shown = ordered.slice(1).toReversed()
  expect(out.trimEnd().split('\n').slice(-6)).toEqual([
    ...shown.map(number => expect.stringContaining(`  ${number}  `) as string),
    '  and 1 more',
  ])
})

test('the operator finds customers by part of their name or email address', async () => {
  const grace = await customer('Grace Findable')
  await place(grace, await addShippable(db))
  const listed = (name: string) => market('customer', 'list', name)

  expect((await listed('findABLE')).out).toBe(
    `${grace.email}  Grace Findable  since ${new Date().toISOString().slice(0, 10)}  1 order\n`,
  )
  expect((await listed('100 %')).out).toBe('No customer\n')
  expect((await market('customer', 'show', grace.email)).out).toMatch(
    /^ {2}PZ-\w{6} {2}\S+ {2}pending, unpaid, \$24\.99$/m,
  )
  expect(await market('customer', 'show', 'nobody@x.test')).toMatchObject({
    code: 1,
    err: 'No customer has the address nobody@x.test\n',
  })
})

/** Returns every row of the shop’s tables as text. */
async function everything(): Promise<string> {
  const { rows: tables } = await db.execute<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  let dump = ''
  for (const { name } of tables) dump += JSON.stringify((await db.execute(`select * from "${name}"`)).rows)
  return dump
}
