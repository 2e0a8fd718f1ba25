import { afterAll, expect, test } from 'vitest'
import { addShippable, orderOf } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, customer, close } = await startProvider({ payment: null })
afterAll(close)

test('a shop that takes no payments yet takes orders, and says so to customers who want to pay', async () => {
  const ada = await customer()
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [await addShippable(db)]))

  await expect(ada.api.startPayment({ orderId })).rejects.toMatchObject({
    status: 503,
    message: 'This shop takes no payments yet',
  })
})
