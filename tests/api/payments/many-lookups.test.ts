import { inArray } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { paymentAttempts } from '#server/db/schema.ts'
import { releaseExpired } from '#server/orders/cancelling.ts'
import { shipOrder } from '#server/orders/deliveries.ts'
import { LOOKUPS_AT_ONCE } from '#server/payments/context.ts'
import { reconcile } from '#server/payments/reconciling.ts'
import type { PaymentProvider } from '#server/payments/providers/payment-provider.ts'
import { startFlutterwave } from '#tests/support/fakes/fake-flutterwave.ts'
import { assertInvariants } from '#tests/support/provider/ordering.ts'
import { startPayingShop } from '#tests/support/provider/paying-shop.ts'

const MORE_THAN_A_RUN = 600
const MINUTES = 60_000
const HOURS = 60 * MINUTES
const DAYS = 24 * HOURS

let shop: Awaited<ReturnType<typeof startPayingShop>>
beforeAll(async () => {
  shop = await startPayingShop(startFlutterwave)
})
afterEach(async () => {
  await assertInvariants(shop.db, shop)
  await shop.db.delete(paymentAttempts).where(inArray(paymentAttempts.status, ['open', 'processing', 'lapsed']))
})
afterAll(() => shop.close())

type Order = Awaited<ReturnType<typeof shop.waiting>>
type NewAttempt = typeof paymentAttempts.$inferInsert

const ago = (ms: number) => new Date(Date.now() - ms)

/** Adds payments of the order, with the ids `${name}-0`, `${name}-1` and so on. */
async function addAttempts({ orderId }: Order, name: string, changes: Partial<NewAttempt>, count = 1) {
  const ids = Array.from({ length: count }, (_, at) => `${name}-${at}`)
  const row = { orderId, provider: 'flutterwave', amountCents: 2499, ...changes }
  await shop.db.insert(paymentAttempts).values(ids.map(id => ({ ...row, id, reference: id, clientSecret: id })))
}

/** Runs the reconciliation once and returns the references of the payments that it looks up. */
async function lookUp(): Promise<string[]> {
  const asked: string[] = []
  const provider: PaymentProvider = {
    ...(shop.paymentContext.provider as PaymentProvider),
    readPayment: async ({ reference }) => {
      asked.push(reference)
      return null
    },
  }
  await reconcile({ ...shop.paymentContext, provider })
  return asked
}

describe('while more payment pages are open than are looked up at once', () => {
  test.each<[string, Partial<NewAttempt>]>([
    ['a payment that is processing', { status: 'processing', lookedUpAt: ago(4.5 * MINUTES) }],
    [
      'one that has been processing for days',
      { status: 'processing', createdAt: ago(3 * DAYS), lookedUpAt: ago(47 * HOURS) },
    ],
    [
      'one that the shop no longer waits for',
      { status: 'lapsed', createdAt: ago(3 * DAYS), lookedUpAt: ago(25 * HOURS) },
    ],
    ['one of a page that was opened days ago', { createdAt: ago(3 * DAYS), lookedUpAt: ago(25 * HOURS) }],
  ])('%s is looked up when its time has come', async (_, changes) => {
    const order = await shop.waiting()
    await addAttempts(order, 'page', { lookedUpAt: ago(5 * MINUTES) }, MORE_THAN_A_RUN)
    await addAttempts(order, 'new-page', {}, MORE_THAN_A_RUN)
    await addAttempts(order, 'waiting', changes)

    expect(await lookUp()).toContain('waiting-0')
  })
})

describe('a payment page of an order that can no longer be paid', () => {
  test.each([
    ['is not looked up again within an hour', 55, 'open', false],
    ['is looked up again after an hour', 65, 'open', true],
    ['is looked up every five minutes while its payment is processing', 5, 'processing', true],
  ] as const)('is looked up %s', async (_, minutes, status, isLookedUp) => {
    const order = await shop.waiting()
    await order.expire()
    await releaseExpired(shop.db, shop.jobs)
    expect(await order.read()).toMatchObject({ status: 'cancelled' })
    await addAttempts(order, 'page', { status, lookedUpAt: ago(minutes * MINUTES) })

    expect(await lookUp()).toEqual(isLookedUp ? ['page-0'] : [])
  })
})

describe('while more charges are due than were checked in three seconds', () => {
  /** Pays orders whose money was looked for two hours ago; the first one was shipped and is six hours overdue. */
  async function paidOrders(count: number): Promise<{ shipped: string; unshipped: string[] }> {
    const paid = await Promise.all(
      Array.from({ length: count }, async () => {
        const { orderId, start, confirm } = await shop.waiting()
        const attempt = await start()
        shop.fake.pay(attempt)
        expect(await confirm()).toMatchObject({ paymentStatus: 'paid' })
        return { orderId, reference: attempt.reference }
      }),
    )
    const [{ orderId, reference: shipped }, ...others] = paid as [(typeof paid)[number]]
    await shipOrder(shop.db, shop.jobs, orderId)
    const unshipped = others.map(({ reference }) => reference)
    const setLookedUp = (references: string[], hours: number) =>
      shop.db
        .update(paymentAttempts)
        .set({ lookedUpAt: ago(hours * HOURS) })
        .where(inArray(paymentAttempts.reference, references))
    await setLookedUp(unshipped, 2)
    await setLookedUp([shipped], 30)
    return { shipped, unshipped }
  }

  /**
   * Reconciles with a provider that takes this long for each charge, and returns the references that it is asked for.
   */
  async function checkCharges(ms: number, closing?: AbortController): Promise<string[]> {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const checked: string[] = []
    const provider: PaymentProvider = {
      ...(shop.paymentContext.provider as PaymentProvider),
      readCharge: async ({ reference }) => {
        checked.push(reference)
        vi.setSystemTime(Date.now() + ms)
        closing?.abort()
        return { status: 'kept', returnedCents: 0, lostCents: 0, failedCents: 0 }
      },
    }
    await reconcile({ ...shop.paymentContext, provider }, closing?.signal)
    return checked
  }

  test('the money of unshipped orders is looked for first, in the same run as that of an overdue shipped one', async () => {
    const { shipped, unshipped } = await paidOrders(LOOKUPS_AT_ONCE + 4)

    const checked = await checkCharges(1000)

    expect(checked.slice(0, -1).toSorted()).toEqual(unshipped.toSorted())
    expect(checked.at(-1)).toBe(shipped)
  })

  test('the money of a shipped order is looked for although there is no time for all unshipped ones', async () => {
    const { shipped, unshipped } = await paidOrders(LOOKUPS_AT_ONCE + 4)

    const checked = await checkCharges(HOURS)

    expect(checked).toHaveLength(LOOKUPS_AT_ONCE + 1)
    expect(checked.at(-1)).toBe(shipped)
    expect((await checkCharges(0)).toSorted()).toEqual(unshipped.filter(it => !checked.includes(it)).toSorted())
  })

  test('a closing shop checks no more of them', async () => {
    await paidOrders(LOOKUPS_AT_ONCE + 4)

    expect(await checkCharges(0, new AbortController())).toHaveLength(LOOKUPS_AT_ONCE)
  })
})
