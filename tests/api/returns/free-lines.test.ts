import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { cancelByOperator } from '#server/orders/cancelling.ts'
import { packOrder } from '#server/orders/deliveries.ts'
import { addSeller, stockOf } from '#tests/support/catalogue/catalogue.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { lettersSent } from '#tests/support/provider/letters.ts'
import { addShippable, orderOf, payInSandbox } from '#tests/support/provider/ordering.ts'
import { startReturningShop, STOCK } from '#tests/support/provider/returning-shop.ts'

const { db, jobs, customer, request, letters, initialStock, check, close } = await startReturningShop()
afterAll(close)
afterEach(check)

/** A paid order of a mug, and of a sticker of the same shop that costs nothing; both ship free. */
async function withSticker() {
  const ada = await customer()
  const seller = await addSeller(db)
  const of = { sellerId: seller.id, shopName: seller.shopName, shippingPrices: { Kenya: 0 }, stock: STOCK }
  const mug = await addShippable(db, { ...of, name: 'Mug', priceCents: 1000 })
  const sticker = await addShippable(db, { ...of, name: 'Sticker', priceCents: 0 })
  for (const { variantId } of [mug, sticker]) initialStock.set(variantId, STOCK)
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [mug, sticker]))
  await payInSandbox(request, ada, orderId)
  const read = async () => (await ada.api.getOrder({ orderId })).order
  const list = () => ada.api.getReturns({ orderId })
  const cancel = async (name: string) => {
    const [part] = (await list()).available
    const line = part?.lines.find(each => each.name === name)
    const lines = [{ lineId: line?.lineId ?? '', quantity: 1 }]
    const about = { orderId, sellerOrderId: part?.sellerOrderId ?? '', lines }
    return ada.api.requestReturn({ ...about, kind: 'cancellation', reason: 'mistake', words: '' })
  }
  return { ada, orderId, sticker, read, list, cancel }
}

test('a free product can be cancelled after everything else of its shop was cancelled and refunded', async () => {
  const { ada, cancel, read, sticker } = await withSticker()

  await cancel('Mug')
  await vi.waitFor(async () => expect((await read()).paymentStatus).toBe('refunded'), PATIENCE)
  const { message } = await cancel('Sticker')

  expect(message).toBe('It is cancelled')
  expect(await read()).toMatchObject({ status: 'cancelled', paymentStatus: 'refunded', refundedCents: 1000 })
  expect(await stockOf(db, sticker)).toBe(STOCK)
  const { notifications } = await ada.api.getNotifications({})
  const told = 'Your payment is refunded already.'
  expect(notifications.find(({ title }) => title === 'Your order is cancelled')?.message).toContain(told)
  await lettersSent(db)
  const mailed = letters.find(({ to, subject }) => to === ada.email && subject.startsWith('Your order is cancelled'))
  expect(mailed?.text).toContain(told)
})

test('the open cancellation of a free product ends when the marketplace cancels its order', async () => {
  const { cancel, list, orderId } = await withSticker()
  await packOrder(db, orderId)
  await cancel('Sticker')

  await cancelByOperator(db, jobs, orderId)

  await vi.waitFor(async () => expect((await list()).returns).toMatchObject([{ status: 'closed' }]), PATIENCE)
})
