import { and, count, eq, inArray, sql } from 'drizzle-orm'
import pLimit from 'p-limit'
import { afterAll, expect, test } from 'vitest'
import { orderLines, orders, orderSteps, paymentAttempts, payments, sellerOrders } from '#server/db/schema.ts'
import { releaseUnpaid } from '#server/payments/reconciling.ts'
import { payRefund } from '#server/payments/refund-paying.ts'
import { settle } from '#server/payments/settling.ts'
import { crowd } from '#tests/support/provider/crowd.ts'
import {
  addAttempt,
  assertInvariants,
  orderOf,
  payOrder,
  reportOf,
  type Stocked,
} from '#tests/support/provider/ordering.ts'
import { addShoe, stocksOf } from '#tests/support/catalogue/catalogue.ts'
import { startProvider } from '#tests/support/provider/provider.ts'
import { rounds } from '#tests/support/rounds.ts'

const ABANDONED = rounds(40, 1000)
const PAID_LATE = rounds(20, 200)
const SWEEPERS = 4
/** Fewer than the pool’s connections: this tests how orders end, not how they are placed. */
const AT_ONCE = 4

const provider = await startProvider({ limits: 'placeOrder=100000/1m,ordersPerDay=100000/1d,api=100000/1m' })
const { db, jobs, paymentContext, close } = provider
afterAll(close)

/** Creates customers who each placed an unpaid order for a shoe in the next of two sizes, and whose holds are over. */
async function abandonedOrders(count: number, stock: number) {
  const shoe = await addShoe(db, { 42: { stock }, 43: { stock } })
  const initialStock = new Map(shoe.variantIds.map(id => [id, stock]))
  const orderIds = await orderEach(await crowd(provider, count), shoe, shoe.variantIds)
  await db
    .update(orders)
    .set({ heldUntil: sql`now() - interval '1 second'` })
    .where(inArray(orders.id, orderIds))
  return { shoe, initialStock, orderIds }
}

/** Each customer orders one unit, of these variants in turn. Returns the orders' ids. */
async function orderEach(
  customers: Awaited<ReturnType<typeof crowd>>,
  product: Stocked,
  variantIds: string[],
): Promise<string[]> {
  const inTurn = pLimit(AT_ONCE)
  const placed = await Promise.all(
    customers.map(({ id, api }, at) => {
      const variantId = variantIds[at % variantIds.length]!
      return inTurn(() => api.placeOrder(orderOf(id, [{ product, variantId }])))
    }),
  )
  return placed.map(({ orderId }) => orderId)
}

const sweepAtOnce = () => Promise.all(Array.from({ length: SWEEPERS }, () => releaseUnpaid(paymentContext)))

test(
  `${ABANDONED} reservations of two sizes that end at once are each released once, by ${SWEEPERS} sweepers`,
  { timeout: 600_000 },
  async () => {
    const stock = ABANDONED / 2 + 5
    const { shoe, initialStock, orderIds } = await abandonedOrders(ABANDONED, stock)
    expect(await stocksOf(db, shoe)).toEqual([5, 5])

    await sweepAtOnce()

    expect(await stocksOf(db, shoe)).toEqual([stock, stock])
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
    await assertInvariants(db, { initialStock })
  },
)

test('a customer who pays after the hold gets a unit of that size, or a refund', { timeout: 600_000 }, async () => {
  const half = PAID_LATE / 2
  const { shoe, initialStock, orderIds } = await abandonedOrders(PAID_LATE, half)
  await sweepAtOnce()
  const [soldOut, left] = shoe.variantIds
  await orderEach(await crowd(provider, half), shoe, [soldOut!])

  const late = await db.select().from(orders).where(inArray(orders.id, orderIds))
  const inTurn = pLimit(AT_ONCE)
  await Promise.all(
    late.map(({ id, priceCents }) =>
      inTurn(async () => {
        await payOrder(db, jobs, { _id: id, priceCents })
      }),
    ),
  )

  const ended = await db
    .select({ paymentStatus: orders.paymentStatus, variantId: orderLines.variantId })
    .from(orders)
    .innerJoin(sellerOrders, eq(sellerOrders.orderId, orders.id))
    .innerJoin(orderLines, eq(orderLines.sellerOrderId, sellerOrders.id))
    .where(inArray(orders.id, orderIds))
  const variantsOf = (status: string) =>
    ended.filter(({ paymentStatus }) => paymentStatus === status).map(({ variantId }) => variantId)
  expect(variantsOf('paid')).toEqual(Array.from({ length: half }, () => left))
  expect(variantsOf('refund_pending')).toEqual(Array.from({ length: half }, () => soldOut))
  expect(await stocksOf(db, shoe)).toEqual([0, 0])
  expect(await db.$count(payments, eq(payments.kind, 'charge'))).toBe(PAID_LATE)
  expect(await db.$count(paymentAttempts, eq(paymentAttempts.status, 'refund_pending'))).toBe(half)
  await assertInvariants(db, { initialStock })
})

test('an order that was paid twice too late counts as refunded when both payments are', async () => {
  const { shoe, orderIds } = await abandonedOrders(1, 1)
  await sweepAtOnce()
  await orderEach(await crowd(provider, 1), shoe, shoe.variantIds)
  const isIt = eq(orders.id, orderIds[0]!)
  const paymentStatus = async () => (await db.select().from(orders).where(isIt))[0]!.paymentStatus
  const [late] = await db.select().from(orders).where(isIt)
  const order = { _id: late!.id, priceCents: late!.priceCents }
  const attempts = [await addAttempt(db, order), await addAttempt(db, order)]
  for (const attempt of attempts)
    expect(await settle(db, jobs, attempt.id, reportOf(attempt))).toMatchObject({ outcome: 'refund' })

  await payRefund(paymentContext, attempts[0]!.id)
  expect(await paymentStatus()).toBe('refund_pending')
  await payRefund(paymentContext, attempts[1]!.id)

  expect(await paymentStatus()).toBe('refunded')
})
