import { afterAll, expect, test } from 'vitest'
import { refundPart } from '#server/payments/part-refunds.ts'
import { settle } from '#server/payments/settling.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { addAttempt, addShippable, orderOf, reportOf, withoutJobs } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const shop = await startProvider()
const { db, jobs, customer, close } = shop
afterAll(close)
const market = operatorOf(shop)

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
