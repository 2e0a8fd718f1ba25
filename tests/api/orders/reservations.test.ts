import { and, count, eq, inArray, sql } from 'drizzle-orm'
import pLimit from 'p-limit'
import { afterAll, expect, test } from 'vitest'
import { orders, orderSteps, paymentAttempts, payments } from '#server/db/schema.ts'
import { releaseUnpaid } from '#server/payments/reconciling.ts'
import { settle } from '#server/payments/settling.ts'
import { crowd } from '#tests/support/provider/crowd.ts'
import { addAttempt, addShippable, assertInvariants, orderOf, reportOf } from '#tests/support/provider/ordering.ts'
import { stockOf } from '#tests/support/catalogue/catalogue.ts'
import { startProvider } from '#tests/support/provider/provider.ts'
import { rounds } from '#tests/support/faults/rounds.ts'

const ABANDONED = rounds(40, 1000)
const PAID_LATE = rounds(20, 200)
const SWEEPERS = 4
/** Fewer than the pool’s connections: this tests how orders end, not how they are placed. */
const AT_ONCE = 4

const provider = await startProvider({ limits: 'placeOrder=100000/1m,api=100000/1m' })
const { db, jobs, paymentContext, close } = provider
afterAll(close)

/** Creates customers who each placed an unpaid order for the same product whose hold is over. */
async function abandonedOrders(count: number, stock: number) {
  const toy = await addShippable(db, { stock })
  const inTurn = pLimit(AT_ONCE)
  const customers = await crowd(provider, count)
  const placed = await Promise.all(customers.map(({ id, api }) => inTurn(() => api.placeOrder(orderOf(id, [toy])))))
  const orderIds = placed.map(({ orderId }) => orderId)
  await db
    .update(orders)
    .set({ heldUntil: sql`now() - interval '1 second'` })
    .where(inArray(orders.id, orderIds))
  return { toy, orderIds }
}

const sweepAtOnce = () => Promise.all(Array.from({ length: SWEEPERS }, () => releaseUnpaid(paymentContext)))

test(
  `${ABANDONED} reservations that end at once are each released once, by ${SWEEPERS} sweepers`,
  { timeout: 600_000 },
  async () => {
    const { toy, orderIds } = await abandonedOrders(ABANDONED, ABANDONED + 5)
    expect(await stockOf(db, toy)).toBe(5)

    await sweepAtOnce()

    expect(await stockOf(db, toy)).toBe(ABANDONED + 5)
    const [ended] = await db
      .select({ count: count() })
      .from(orderSteps)
      .where(and(inArray(orderSteps.orderId, orderIds), eq(orderSteps.step, { kind: 'cancelled', by: 'time' })))
    expect(ended?.count).toBe(ABANDONED)
    const { rows } = await db.execute<{ count: number }>(
      sql`select count(*)::int from jobs.job where name = 'orderMail' and data->>'kind' = 'cancelled'`,
    )
    expect(rows[0]?.count).toBe(ABANDONED)
    await sweepAtOnce()
    await assertInvariants(db, { initialStock: new Map([[toy.variantId, ABANDONED + 5]]) })
  },
)

test('a customer who pays after the hold gets a unit that is left, or a refund', { timeout: 600_000 }, async () => {
  const { toy, orderIds } = await abandonedOrders(PAID_LATE, PAID_LATE)
  await sweepAtOnce()
  const rivals = await crowd(provider, PAID_LATE / 2)
  const inTurn = pLimit(AT_ONCE)
  await Promise.all(rivals.map(({ id, api }) => inTurn(() => api.placeOrder(orderOf(id, [toy])))))

  const late = await db.query.orders.findMany({ where: inArray(orders.id, orderIds) })
  await Promise.all(
    late.map(({ id, priceCents }) =>
      inTurn(async () => {
        const attempt = await addAttempt(db, { _id: id, priceCents })
        await settle(db, jobs, attempt.id, reportOf(attempt))
      }),
    ),
  )

  const ended = await db.query.orders.findMany({ where: inArray(orders.id, orderIds) })
  expect(ended.filter(({ paymentStatus }) => paymentStatus === 'paid')).toHaveLength(PAID_LATE / 2)
  expect(ended.filter(({ paymentStatus }) => paymentStatus === 'refund_pending')).toHaveLength(PAID_LATE / 2)
  expect(await stockOf(db, toy)).toBe(0)
  expect(await db.$count(payments, eq(payments.kind, 'charge'))).toBe(PAID_LATE)
  expect(await db.$count(paymentAttempts, eq(paymentAttempts.status, 'refund_pending'))).toBe(PAID_LATE / 2)
  await assertInvariants(db, { initialStock: new Map([[toy.variantId, PAID_LATE]]) })
})
