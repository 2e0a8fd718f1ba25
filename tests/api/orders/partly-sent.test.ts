import { afterAll, expect, test } from 'vitest'
import { partText } from '#lib/orders/orders.ts'
import { shipOrder } from '#server/orders/deliveries.ts'
import { addShippable, orderOf, payOrder } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, jobs, customer, close } = await startProvider()
afterAll(close)

test('lists of orders say that part of an order is shipped, as the order’s page does', async () => {
  const ada = await customer()
  const mug = await addShippable(db)
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [{ product: mug, quantity: 3 }]))
  await payOrder(db, jobs, (await ada.api.getOrder({ orderId })).order)
  const listed = async () => {
    const { orders } = await ada.api.getOrders({ userId: ada.id, status: 'all' })
    const { recentOrders } = await ada.api.getDashboard({ userId: ada.id })
    return [...orders, ...recentOrders].map(({ parts }) => partText(parts[0]!))
  }
  expect(await listed()).toEqual(['Processing', 'Processing'])

  await shipOrder(db, jobs, orderId, { items: [{ name: mug.slug, quantity: 1 }] })
  expect(await listed()).toEqual(['Partly shipped', 'Partly shipped'])

  await shipOrder(db, jobs, orderId)
  expect(await listed()).toEqual(['Shipped', 'Shipped'])
})
