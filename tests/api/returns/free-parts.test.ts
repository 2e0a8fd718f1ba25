import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { refundOrder } from '#server/orders/cancelling.ts'
import { deliverOrder, shipOrder } from '#server/orders/deliveries.ts'
import { moveDueReturns } from '#server/returns/due.ts'
import { moveReturn } from '#server/returns/moving.ts'
import { stockOf } from '#tests/support/catalogue/catalogue.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { addShippable, orderOf } from '#tests/support/provider/ordering.ts'
import { startReturningShop, STOCK } from '#tests/support/provider/returning-shop.ts'

const { db, jobs, paid, customer, initialStock, check, close } = await startReturningShop()
afterAll(close)
afterEach(check)

/** An order with a bowl that costs nothing and ships free, beside mugs of another shop. */
const withFreeBowl = () => paid(undefined, { priceCents: 0, shippingPrices: { Kenya: 0 } })

test('a free part can be cancelled without a refund, while the rest stays paid', async () => {
  const { ask, bowl, read } = await withFreeBowl()

  const { message } = await ask('Bowl', 1, 'cancellation')

  expect(message).toBe('It is cancelled')
  expect((await read()).order).toMatchObject({ status: 'placed', paymentStatus: 'paid', refundedCents: 0 })
  expect(await stockOf(db, bowl)).toBe(STOCK)
})

test('a free part can be cancelled after everything that was paid is refunded', async () => {
  const { ask, bowl, read } = await withFreeBowl()
  const { priceCents } = (await read()).order
  const paidBack = { status: 'placed', paymentStatus: 'refunded', refundedCents: priceCents }

  await ask('Mug', 3, 'cancellation')
  await vi.waitFor(async () => expect((await read()).order).toMatchObject(paidBack), PATIENCE)
  const { message } = await ask('Bowl', 1, 'cancellation')

  expect(message).toBe('It is cancelled')
  expect((await read()).order).toMatchObject({ status: 'cancelled', paymentStatus: 'refunded' })
  expect(await stockOf(db, bowl)).toBe(STOCK)
})

test('a refund of the order leaves the return of a free part open', async () => {
  const { ask, becomes, deliver, list } = await withFreeBowl()
  await deliver()
  const { returnId } = await ask('Bowl', 1, 'return')
  const ofBowl = async () => (await list()).returns.find(({ id }) => id === returnId)?.status
  const mugs = await ask('Mug', 3, 'return')
  for (const event of ['approve', 'receive'] as const) await moveReturn(db, jobs, mugs.returnId, { event })
  await becomes('refunded')

  await moveDueReturns(db, jobs)
  const status = await ofBowl()
  for (const event of ['approve', 'receive'] as const) await moveReturn(db, jobs, returnId, { event })

  expect(status).toBe('requested')
  await vi.waitFor(async () => expect(await ofBowl()).toBe('refunded'), PATIENCE)
})

test('of a free part that was sent in part, only what was sent can be returned', async () => {
  const ada = await customer()
  const mug = await addShippable(db, { priceCents: 0, shippingPrices: { Kenya: 0 }, stock: STOCK, name: 'Mug' })
  initialStock.set(mug.variantId, STOCK)
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [{ product: mug, quantity: 3 }]))
  await shipOrder(db, jobs, orderId, { items: [{ name: '1', quantity: 1 }] })
  await refundOrder(db, jobs, orderId)
  await deliverOrder(db, orderId)

  const [part] = (await ada.api.getReturns({ orderId })).available
  const { sellerOrderId, lines } = part!
  const asked = { orderId, sellerOrderId, kind: 'return' as const, reason: 'changed_mind' as const, words: '' }
  const all = ada.api.requestReturn({ ...asked, lines: [{ lineId: lines[0]!.lineId, quantity: 3 }] })

  expect(lines).toMatchObject([{ name: 'Mug', quantity: 1 }])
  await expect(all).rejects.toThrow('At most 1')
  const { returnId } = await ada.api.requestReturn({ ...asked, lines: [{ lineId: lines[0]!.lineId, quantity: 1 }] })
  await moveReturn(db, jobs, returnId, { event: 'approve' })
  await moveReturn(db, jobs, returnId, { event: 'receive', isRestocked: true })
  expect((await ada.api.getReturns({ orderId })).available).toEqual([])
  expect(await stockOf(db, mug)).toBe(STOCK)
})
