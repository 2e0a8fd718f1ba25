import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { orders, paymentAttempts } from '#server/db/schema.ts'
import { eraseCustomer } from '#server/operators/customers.ts'
import { releaseExpired } from '#server/orders/cancelling.ts'
import { LOOKUPS_AT_ONCE } from '#server/payments/context.ts'
import { releaseUnpaid } from '#server/payments/reconciling.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { startFlutterwave } from '#tests/support/fakes/fake-flutterwave.ts'
import { assertInvariants } from '#tests/support/provider/ordering.ts'
import { startPayingShop } from '#tests/support/provider/paying-shop.ts'

const HOUR_MS = 3600_000

let shop: Awaited<ReturnType<typeof startPayingShop>>
beforeAll(async () => {
  shop = await startPayingShop(startFlutterwave)
})
afterEach(() => assertInvariants(shop.db, shop))
afterAll(() => shop.close())

/** Creates orders whose payment was started and not made, and whose hold has ended, the longest ago first. */
async function unpaidOrders(count: number) {
  const waiting = await Promise.all(Array.from({ length: count }, () => shop.waiting()))
  for (const { start, expire } of waiting) {
    await start()
    await expire()
  }
  return waiting
}

const statusesOf = async (waiting: Awaited<ReturnType<typeof unpaidOrders>>) =>
  (await Promise.all(waiting.map(({ read }) => read()))).map(({ status }) => status).toSorted()

describe('an order whose hold has ended', () => {
  test('counts as paid if the customer paid in time but no webhook came', async () => {
    const { start, expire, read, steps } = await shop.waiting({ stock: 1 })
    shop.fake.pay(await start())
    await expire()

    await releaseUnpaid(shop.paymentContext)

    expect(await read()).toMatchObject({ status: 'placed', paymentStatus: 'paid' })
    expect(await steps()).toEqual(['placed', 'paid'])
  })

  test('is refunded if it is paid after its customer has been erased', async () => {
    const { ada, start, expire, ledger } = await shop.waiting()
    const attempt = await start()
    await expire()
    await releaseExpired(shop.db, shop.jobs)
    await eraseCustomer(shop.db, shop.sessions, ada.email)
    shop.fake.pay(attempt)

    await shop.deliver(attempt)

    await vi.waitFor(
      async () => expect((await ledger()).map(({ kind }) => kind)).toEqual(['charge', 'refund']),
      PATIENCE,
    )
    expect(shop.fake.refunds.get(attempt.reference)).toEqual([attempt.amountCents])
  })

  test('is cancelled if it is not paid or the payment provider cannot be reached', async () => {
    const [unpaid, unknown, untouched] = [await shop.waiting(), await shop.waiting(), await shop.waiting()]
    await unpaid.start()
    shop.fake.misbehave(await unknown.start(), 'error')
    for (const { expire } of [unpaid, unknown, untouched]) await expire()

    await releaseUnpaid(shop.paymentContext)

    for (const { read } of [unpaid, unknown, untouched]) expect(await read()).toMatchObject({ status: 'cancelled' })
  })
})

test('an order that is not paid in time is cancelled in a shop without its payment provider, too', async () => {
  const { start, expire, read } = await shop.waiting()
  await start()
  await expire()

  await releaseUnpaid({ ...shop.paymentContext, provider: null })

  expect(await read()).toMatchObject({ status: 'cancelled' })
})

describe('an order during a slow query to the payment provider', () => {
  test('is left for the next sweep if its hold ends during the query', async () => {
    const [first, second] = [await shop.waiting(), await shop.waiting()]
    await first.start()
    shop.fake.pay(await second.start())
    await first.expire()

    const ends = () =>
      shop.db.update(orders).set({ heldUntil: new Date() }).where(eq(orders.id, second.orderId)).execute()
    await releaseUnpaid(shop.asking(ends))

    expect(await first.read()).toMatchObject({ status: 'cancelled' })
    expect(await second.read()).toMatchObject({ status: 'pending' })
    await releaseUnpaid(shop.paymentContext)
    expect(await second.read()).toMatchObject({ status: 'placed', paymentStatus: 'paid' })
  })

  test('is left for the next sweep if no time is left', async () => {
    const waiting = await unpaidOrders(LOOKUPS_AT_ONCE + 1)
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const later = Date.now() + HOUR_MS

    await releaseUnpaid(shop.asking(() => vi.setSystemTime(later)))

    vi.useRealTimers()
    expect(await statusesOf(waiting)).toEqual([...waiting.slice(1).map(() => 'cancelled'), 'pending'])
    await releaseUnpaid(shop.paymentContext)
  })

  test('is released in the same sweep as many others, although the provider takes a second for each', async () => {
    const waiting = await unpaidOrders(LOOKUPS_AT_ONCE + 4)
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())

    await releaseUnpaid(shop.asking(() => vi.setSystemTime(Date.now() + 1000)))

    vi.useRealTimers()
    expect(await statusesOf(waiting)).toEqual(waiting.map(() => 'cancelled'))
  })

  test('is not held up by the query about another order', async () => {
    const [slow, other] = await unpaidOrders(2)
    const untouched = await shop.waiting()
    await untouched.expire()
    const { promise, resolve } = Promise.withResolvers<void>()
    const [waited] = await slow!.attempts()

    const releasing = releaseUnpaid(shop.asking(({ reference }) => reference === waited!.reference && promise))

    for (const { read } of [other!, untouched])
      await vi.waitFor(async () => expect(await read()).toMatchObject({ status: 'cancelled' }), PATIENCE)
    expect(await slow!.read()).toMatchObject({ status: 'pending' })
    resolve()
    await releasing
    expect(await slow!.read()).toMatchObject({ status: 'cancelled' })
  })

  test('is left for another process if the shop closes', async () => {
    const waiting = await unpaidOrders(LOOKUPS_AT_ONCE + 4)
    const closing = new AbortController()

    await releaseUnpaid(
      shop.asking(() => closing.abort()),
      closing.signal,
    )

    expect((await statusesOf(waiting)).filter(status => status === 'pending')).toHaveLength(4)
    await releaseUnpaid(shop.paymentContext)
  })

  test('is released soon, even behind an order with more failed payments than there is time to look up', async () => {
    const [declined, other] = [await shop.waiting({ stock: 1 }), await shop.waiting({ stock: 1 })]
    await declined.start()
    const [first] = await declined.attempts()
    const others = Array.from({ length: 9 }, (_, at) => `declined-${at}`)
    await shop.db
      .insert(paymentAttempts)
      .values(others.map(id => ({ ...first!, id, reference: id, clientSecret: id, status: 'failed' as const })))
    await other.start()
    for (const { expire } of [declined, other]) await expire()
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())

    // Each run looks up as many payments as at once.
    for (let run = 1; run <= 12 / LOOKUPS_AT_ONCE + 1; run += 1) {
      const later = Date.now() + HOUR_MS
      await releaseUnpaid(shop.asking(() => vi.setSystemTime(later)))
    }

    vi.useRealTimers()
    for (const { read } of [declined, other]) expect(await read()).toMatchObject({ status: 'cancelled' })
  })
})
