import { eq } from 'drizzle-orm'
import { afterAll, expect, test, vi } from 'vitest'
import { payments, sandboxPayments } from '#server/db/schema.ts'
import { refundOrder } from '#server/orders/cancelling.ts'
import { refundPart } from '#server/payments/part-refunds.ts'
import { payRefunds } from '#server/payments/refund-paying.ts'
import { moveReturn } from '#server/returns/moving.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { startReturningShop } from '#tests/support/provider/returning-shop.ts'

const { db, jobs, paid, check, close, paymentContext } = await startReturningShop()
afterAll(close)

test('all refunds together are what was paid, when the shop, the operator and the customer cause them at once', async () => {
  const { ask, deliver, list, orderId, read } = await paid()
  await deliver()
  for (const [name, quantity] of [
    ['Mug', 1],
    ['Mug', 2],
    ['Bowl', 1],
  ] as const)
    await ask(name, quantity, 'return')
  const { returns } = await list()
  for (const { id } of returns) await moveReturn(db, jobs, id, { event: 'approve' })

  await Promise.allSettled([
    ...returns.flatMap(({ id }) => [1, 2].map(() => moveReturn(db, jobs, id, { event: 'receive' }))),
    ...[500, 1500, 5000].map(cents => refundPart(db, jobs, orderId, cents)),
    refundOrder(db, jobs, orderId),
    ...[1, 2].map(() => payRefunds(paymentContext)),
  ])

  // The refund of the whole order, which has no job of its own, may be requested after those above were paid.
  await vi.waitFor(async () => {
    await payRefunds(paymentContext)
    expect((await read()).order.paymentStatus).toBe('refunded')
  }, PATIENCE)
  const { priceCents, refundedCents } = (await read()).order
  const booked = await db.select().from(payments).where(eq(payments.orderId, orderId))
  const sumOf = (kind: string) =>
    booked.reduce((sum, payment) => sum + (payment.kind === kind ? payment.amountCents : 0), 0)
  expect([refundedCents, sumOf('refund'), sumOf('charge')]).toEqual([priceCents, priceCents, priceCents])
  const [atProvider] = await db.select().from(sandboxPayments).where(eq(sandboxPayments.amountCents, priceCents))
  expect(atProvider?.refundedCents).toBe(priceCents)
  await check()
})
