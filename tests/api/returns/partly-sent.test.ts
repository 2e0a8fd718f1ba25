import { eq } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { sellers } from '#server/db/schema.ts'
import { deliverOrder, shipOrder } from '#server/orders/deliveries.ts'
import { moveDueReturns } from '#server/returns/due.ts'
import { stockOf } from '#tests/support/catalogue/catalogue.ts'
import { lettersSent } from '#tests/support/provider/letters.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { SHIPPING_CENTS } from '#tests/support/provider/ordering.ts'
import { MUG_CENTS, startReturningShop, STOCK } from '#tests/support/provider/returning-shop.ts'

const shop = await startReturningShop()
const { db, jobs, letters, paid, check, close } = shop
afterAll(close)
afterEach(check)
const market = operatorOf(shop)

/** A paid order of three mugs, of which the shop has sent one. */
async function partlySent() {
  const order = await paid()
  const send = (quantity?: number) =>
    shipOrder(db, jobs, order.orderId, {
      shop: order.mug.sellerId,
      ...(quantity !== undefined && { items: [{ name: order.mug.slug, quantity }] }),
    })
  await send(1)
  const ofMugs = async () => {
    const { sellerOrders } = await order.read()
    return sellerOrders.find(({ products }) => products[0]?.productInfo.name === 'Mug')
  }
  const canTake = async () => (await order.list()).available.find(({ lines }) => lines[0]?.name === 'Mug')
  return { ...order, send, ofMugs, canTake }
}

describe('the rest of an order of which the shop has sent a part', () => {
  test('can be cancelled if the shop allows it: its price is refunded, without the shipping of what was sent', async () => {
    const { ask, becomes, canTake, latest, mug, ofMugs, refunded } = await partlySent()
    expect(await canTake()).toMatchObject({
      kind: 'cancellation',
      isImmediate: false,
      isShippingRefunded: false,
      lines: [{ name: 'Mug', quantity: 2 }],
    })

    await ask('Mug', 2, 'cancellation')
    expect(await canTake()).toBeUndefined()
    await market('return', 'approve', (await latest()).id)

    await refunded(2 * MUG_CENTS)
    await becomes('refunded')
    expect(await stockOf(db, mug)).toBe(STOCK - 1)
    expect(await ofMugs()).toMatchObject({ deliveryStatus: 'Shipped', unsent: [], cancelled: [{ quantity: 2 }] })
  })

  test('leaves the part delivered if the parcel has arrived, and what was sent can be returned with its shipping', async () => {
    const { ask, canTake, latest, ofMugs, orderId, refunded, read } = await partlySent()
    await deliverOrder(db, orderId)
    await ask('Mug', 2, 'cancellation')
    const { id: cancellationId } = await latest()
    await market('return', 'approve', cancellationId)
    await refunded(2 * MUG_CENTS)

    expect(await ofMugs()).toMatchObject({ deliveryStatus: 'Delivered' })
    expect((await read()).order.timeline.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/^Delivered from /),
    )
    expect(await canTake()).toMatchObject({ kind: 'return', lines: [{ name: 'Mug', quantity: 1 }] })
    await ask('Mug', 1, 'return')
    const { id: returnId } = await latest()
    await market('return', 'approve', returnId)
    await market('return', 'received', returnId)
    await refunded(3 * MUG_CENTS + SHIPPING_CENTS)
  })

  test('can be cancelled until it is sent: what the shop sends of other units does not end the request', async () => {
    const { ask, latest, send } = await partlySent()
    await ask('Mug', 1, 'cancellation')

    await send(1)
    await moveDueReturns(db, jobs)
    expect((await latest()).status).toBe('requested')

    await send()
    await expect(market('return', 'approve', (await latest()).id)).resolves.toMatchObject({
      err: 'This part of the order has been sent: the cancellation ends within five minutes\n',
    })
    await moveDueReturns(db, jobs)
    expect((await latest()).status).toBe('lapsed')
  })

  test('is decided by the marketplace if the shop was removed', async () => {
    const { ask, latest, mug, ofMugs, refunded } = await partlySent()
    await db.delete(sellers).where(eq(sellers.id, mug.sellerId))

    await ask('Mug', 2, 'cancellation')
    const { id, status } = await latest()
    expect(status).toBe('escalated')
    await market('return', 'decide', id, 'refund')

    await refunded(2 * MUG_CENTS)
    expect(await ofMugs()).toMatchObject({ deliveryStatus: 'Shipped' })
  })

  test('is not asked for once the marketplace has cancelled it', async () => {
    const { ada, ask, latest, mug } = await partlySent()
    await market('seller', 'email', mug.sellerId, 'clay@shops.test')
    await ask('Mug', 2, 'cancellation')
    const { id: returnId } = await latest()
    await market('return', 'decline', returnId, '--because', 'It is packed.')
    await ada.api.escalateReturn({ returnId })
    await market('return', 'decide', returnId, 'refund')

    await lettersSent(db)
    const letter = letters.find(({ to, subject }) => to === 'clay@shops.test' && subject.startsWith('Do not pack'))
    expect(letter?.text).toContain('There is nothing left to send.')
    expect(letter?.text).not.toContain('the rest of the order')
  })
})
