import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { refreshUnitsSold } from '#server/catalogue/upkeep.ts'
import { packOrder } from '#server/orders/deliveries.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { startReturningShop } from '#tests/support/provider/returning-shop.ts'

const shop = await startReturningShop()
const { db, api, paid, check, close } = shop
afterAll(close)
afterEach(check)
const market = operatorOf(shop)

/** A paid order of three mugs and a bowl of other shops, and how many units the mugs' shop has sold. */
async function ordered() {
  const order = await paid()
  const sold = async () => {
    await refreshUnitsSold(db)
    return (await api.getSellerProducts({ sellerId: order.mug.sellerId, page: 1 })).seller.unitsSold
  }
  expect(await sold()).toBe(3)
  return { ...order, sold }
}

describe('units sold', () => {
  test('leave out what the customer has cancelled', async () => {
    const { ask, becomes, sold } = await ordered()
    await ask('Mug', 2, 'cancellation')
    expect(await sold()).toBe(1)

    await ask('Mug', 1, 'cancellation')
    await becomes('refunded')
    expect(await sold()).toBe(0)
  })

  test('include what the customer wants to cancel until somebody agrees', async () => {
    const { ada, ask, latest, orderId, sold } = await ordered()
    await packOrder(db, orderId)
    await ask('Mug', 2, 'cancellation')
    const { id: returnId } = await latest()
    expect(await sold()).toBe(3)
    await market('return', 'decline', returnId, '--because', 'It is packed.')
    expect(await sold()).toBe(3)

    await ada.api.escalateReturn({ returnId })
    await market('return', 'decide', returnId, 'refund')
    expect(await sold()).toBe(1)
  })

  test('include what was sent and returned', async () => {
    const { ask, deliver, latest, refunded, sold } = await ordered()
    await deliver()
    await ask('Mug', 2, 'return')
    const { id: returnId } = await latest()
    await market('return', 'approve', returnId)
    await market('return', 'received', returnId, '--restock')
    await refunded(2 * 1999)

    expect(await sold()).toBe(3)
  })
})
