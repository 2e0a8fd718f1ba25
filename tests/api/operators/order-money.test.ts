import { parse } from 'csv-parse/sync'
import { and, eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { payments } from '#server/db/schema.ts'
import { refundPart } from '#server/payments/part-refunds.ts'
import { payRefunds } from '#server/payments/refund-paying.ts'
import { settle } from '#server/payments/settling.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { addAttempt, addShippable, orderOf, reportOf, withoutJobs } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const shop = await startProvider()
const { db, jobs, customer, close } = shop
afterAll(close)
const market = operatorOf(shop)

test('the list of orders and an order name what was refunded of its payment, without a second one', async () => {
  const ada = await customer()
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [await addShippable(db)]))
  const { order } = await ada.api.getOrder({ orderId })
  const refunded = async () => {
    const { out } = await market('order', 'list', '--csv')
    const rows = parse<Record<string, string>>(out, { columns: true })
    const [first] = (await market('order', 'show', orderId)).out.split('\n')
    return [rows.find(row => row['order'] === orderId)!['refunded USD'], first!.slice(first!.indexOf('shipping'))]
  }
  const [first, second] = [await addAttempt(db, order), await addAttempt(db, order)]
  for (const attempt of [first, second]) await settle(db, jobs, attempt.id, reportOf(attempt))
  await payRefunds(shop.paymentContext)
  expect(await db.$count(payments, and(eq(payments.attemptId, second.id), eq(payments.kind, 'refund')))).toBe(1)
  expect(await refunded()).toEqual(['0.00', 'shipping'])

  await refundPart(db, withoutJobs(jobs), orderId, 1234)
  await payRefunds(shop.paymentContext)

  expect(await refunded()).toEqual(['12.34', 'shipping, $12.34 refunded'])
})

test('doctor lists overpaid orders until the surplus is refunded', async () => {
  const ada = await customer()
  const product = await addShippable(db)
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [product]))
  const { order } = await ada.api.getOrder({ orderId })
  const attempt = await addAttempt(db, order)
  const surplusCents = order.priceCents + 1
  await settle(db, jobs, attempt.id, reportOf(attempt, { amountCents: order.priceCents + surplusCents }))
  const refund = (cents: number) => refundPart(db, withoutJobs(jobs), orderId, cents)
  await refund(500)

  expect((await market('doctor')).out).toContain(
    `WAITING 1 order was overpaid\n          ${order.number} of $24.99: 'order refund ${order.number} --amount 20.00' refunds the rest\n`,
  )

  await refund(2000)
  expect((await market('doctor')).out).toMatch(/^ok {6}0 orders were overpaid$/m)
  expect((await ada.api.getOrder({ orderId })).order.paymentStatus).toBe('paid')
})
