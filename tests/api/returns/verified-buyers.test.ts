import { afterAll, expect, test } from 'vitest'
import { moveReturn } from '#server/returns/moving.ts'
import { orderOf, payInSandbox, type Stocked } from '#tests/support/provider/ordering.ts'
import { startReturningShop } from '#tests/support/provider/returning-shop.ts'

const { db, jobs, api, request, paid, close } = await startReturningShop()
afterAll(close)

type Order = Awaited<ReturnType<typeof paid>>

/** Whether the customer's review of the product says that they are a verified buyer. */
async function isVerified({ ada }: Order, { id: productId }: Stocked): Promise<boolean> {
  await ada.api.submitReview({ productId, review: 'So', rating: 1 })
  const { reviews } = await api.getReviews({ productId, page: 1 })
  return reviews[0]!.verifiedBuyer
}

test('a customer who cancels all units of a product and is refunded is not a verified buyer of it', async () => {
  const order = await paid()
  await order.ask('Mug', 2, 'cancellation')
  await order.ask('Bowl', 1, 'cancellation')
  await order.becomes('refunded')

  expect(await isVerified(order, order.bowl)).toBe(false)
  expect(await isVerified(order, order.mug)).toBe(true)

  await order.ask('Mug', 1, 'cancellation')

  expect(await isVerified(order, order.mug)).toBe(false)
})

test('a customer who buys a product again after cancelling it is a verified buyer', async () => {
  const order = await paid()
  await order.ask('Bowl', 1, 'cancellation')
  await order.becomes('refunded')
  const { ada, bowl } = order
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [bowl]))
  await payInSandbox(request, ada, orderId)

  expect(await isVerified(order, order.bowl)).toBe(true)
})

test('a customer who returns a product is a verified buyer of it, also if that refunds the whole order', async () => {
  const order = await paid()
  await order.deliver()
  for (const [name, quantity, product] of [
    ['Bowl', 1, order.bowl],
    ['Mug', 3, order.mug],
  ] as const) {
    await order.ask(name, quantity, 'return')
    const { id } = await order.latest()
    await moveReturn(db, jobs, id, { event: 'approve' })
    await moveReturn(db, jobs, id, { event: 'receive' })
    await order.becomes('refunded')

    expect(await isVerified(order, product)).toBe(true)
  }
})
