import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { paymentAttempts } from '#server/db/schema.ts'
import { deliverOrder, shipOrder } from '#server/orders/deliveries.ts'
import { refundPart } from '#server/payments/part-refunds.ts'
import { settle } from '#server/payments/settling.ts'
import { moveReturn } from '#server/returns/moving.ts'
import { addAttempt, addShippable, orderOf, reportOf } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, customer, jobs, close } = await startProvider()
afterAll(close)

/** A delivered order of three mugs for $90, for which the customer has paid $120. */
async function overpaid() {
  const ada = await customer()
  const mug = await addShippable(db, { priceCents: 3000, stock: 9, shippingPrices: { Kenya: 0 } })
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [{ product: mug, quantity: 3 }]))
  const attempt = await addAttempt(db, (await ada.api.getOrder({ orderId })).order)
  await settle(db, jobs, attempt.id, reportOf(attempt, { amountCents: 12_000 }))
  await shipOrder(db, jobs, orderId)
  await deliverOrder(db, orderId)
  const [part] = (await ada.api.getReturns({ orderId })).available
  const about = {
    orderId,
    sellerOrderId: part!.sellerOrderId,
    kind: 'return',
    reason: 'changed_mind',
    words: '',
  } as const

  return {
    orderId,
    async returnMugs(quantity: number) {
      const lines = [{ lineId: part!.lines[0]!.lineId, quantity }]
      const { returnId } = await ada.api.requestReturn({ ...about, lines, key: randomUUID() })
      for (const event of ['approve', 'receive'] as const) await moveReturn(db, jobs, returnId, { event })
    },
    isRefundedWhole: async () => {
      const [found] = await db.select().from(paymentAttempts).where(eq(paymentAttempts.id, attempt.id))
      return found!.status.startsWith('refund')
    },
  }
}

test('the payment of a mug that is kept is not refunded because a surplus was', async () => {
  const { orderId, returnMugs, isRefundedWhole } = await overpaid()
  await refundPart(db, jobs, orderId, 3000)

  await returnMugs(2)
  expect(await isRefundedWhole()).toBe(false)

  await returnMugs(1)
  expect(await isRefundedWhole()).toBe(true)
})

test('a surplus that nobody has refunded is refunded with the last mug', async () => {
  const { returnMugs, isRefundedWhole } = await overpaid()

  await returnMugs(2)
  expect(await isRefundedWhole()).toBe(false)

  await returnMugs(1)
  expect(await isRefundedWhole()).toBe(true)
})
