import { eq, ne } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { auditEvents, orderSteps, returns, sellers } from '#server/db/schema.ts'
import { deliverOrder, packOrder, shipOrder } from '#server/orders/deliveries.ts'
import { payRefunds } from '#server/payments/refund-paying.ts'
import { moveDueReturns } from '#server/returns/due.ts'
import { moveReturn } from '#server/returns/moving.ts'
import { stockOf } from '#tests/support/catalogue/catalogue.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { SHIPPING_CENTS } from '#tests/support/provider/ordering.ts'
import { BOWL_CENTS, MUG_CENTS, startReturningShop, STOCK } from '#tests/support/provider/returning-shop.ts'

const shop = await startReturningShop()
const { db, jobs, paid, check, close } = shop
afterAll(close)
afterEach(check)
const market = operatorOf(shop)

describe('a cancellation', () => {
  test('is done at once while the shop prepares the order, and its units are for sale again', async () => {
    const { ask, refunded, becomes, mug, read, titles } = await paid()

    expect(await ask('Mug', 2, 'cancellation')).toMatchObject({
      message: expect.stringContaining('cancelled') as string,
    })

    await refunded(2 * MUG_CENTS)
    await becomes('refunded')
    expect(await stockOf(db, mug)).toBe(STOCK - 1)
    expect((await read()).order).toMatchObject({ status: 'placed', paymentStatus: 'paid' })
    expect(await titles()).toContain('Your cancellation is complete')
  })

  test('names what it is about without the shop’s SKU', async () => {
    const { ask, list } = await paid(undefined, { sku: 'BOWL-7' })

    await ask('Bowl', 1, 'cancellation')

    expect((await list()).returns.flatMap(({ lines }) => lines)).toEqual([{ name: 'Bowl', quantity: 1 }])
  })

  test('of all of a shop’s part refunds its shipping and cancels the part', async () => {
    const { ask, refunded, read } = await paid()

    await ask('Bowl', 1, 'cancellation')

    await refunded(BOWL_CENTS + SHIPPING_CENTS)
    const { order, sellerOrders } = await read()
    expect(order.status).toBe('placed')
    expect(sellerOrders.map(({ deliveryStatus }) => deliveryStatus).toSorted()).toEqual(['Cancelled', 'Processing'])
  })

  test('of everything, line by line, cancels and refunds the order', async () => {
    const { ask, read, mug, bowl, orderId } = await paid()
    const { order } = await read()

    await ask('Mug', 1, 'cancellation')
    await ask('Bowl', 1, 'cancellation')
    await ask('Mug', 2, 'cancellation')

    await vi.waitFor(
      async () =>
        expect((await read()).order).toMatchObject({
          status: 'cancelled',
          paymentStatus: 'refunded',
          refundedCents: order.priceCents,
        }),
      PATIENCE,
    )
    expect([await stockOf(db, mug), await stockOf(db, bowl)]).toEqual([STOCK, STOCK])
    const audited = await db.select().from(auditEvents).where(eq(auditEvents.event, 'order_cancelled'))
    expect(audited.map(({ details }) => details)).toContainEqual({ orderId, by: 'customer' })
  })

  test('has to be approved by the shop once it has packed the part', async () => {
    const { ask, latest, orderId, refunded, becomes } = await paid()
    await packOrder(db, orderId)
    await ask('Bowl', 1, 'cancellation')
    const { id, status } = await latest()
    expect(status).toBe('requested')

    expect(await market('return', 'approve', id)).toMatchObject({ code: 0 })

    await refunded(BOWL_CENTS + SHIPPING_CENTS)
    await becomes('refunded')
  })

  test('can no longer be approved once the part is on its way', async () => {
    const { ask, latest, orderId } = await paid()
    await packOrder(db, orderId)
    await ask('Bowl', 1, 'cancellation')
    await shipOrder(db, jobs, orderId)

    const { id } = await latest()
    await expect(moveReturn(db, jobs, id, { event: 'approve' })).rejects.toMatchObject({ code: 'CONFLICT' })
    await moveReturn(db, jobs, id, { event: 'decline', answer: 'It is on its way.' })
    expect(await latest()).toMatchObject({ status: 'declined', answer: 'It is on its way.' })
  })

  test.each(['requested', 'declined'])(
    'that is %s does not keep what has arrived from being returned',
    async status => {
      const { ask, latest, orderId, refunded, becomes } = await paid()
      await packOrder(db, orderId)
      await ask('Bowl', 1, 'cancellation')
      const { id: cancellation } = await latest()
      await shipOrder(db, jobs, orderId)
      if (status === 'declined') await market('return', 'decline', cancellation, '--because', 'It is on its way.')
      await expect(ask('Bowl', 1, 'return')).rejects.toMatchObject({ status: 422 })
      await deliverOrder(db, orderId)

      await ask('Bowl', 1, 'return')

      const { id } = await latest()
      await market('return', 'approve', id)
      await market('return', 'received', id)
      await refunded(BOWL_CENTS + SHIPPING_CENTS)
      await becomes('refunded')
      expect(await market('return', 'approve', cancellation)).toMatchObject({ code: 1 })
      await refunded(BOWL_CENTS + SHIPPING_CENTS)
    },
  )

  test('that waits for the shop ends when the operator cancels the order', async () => {
    const { ask, orderId, mug, bowl, becomes, refunded, read } = await paid()
    await packOrder(db, orderId)
    await ask('Mug', 2, 'cancellation')

    await market('order', 'cancel', orderId)
    await payRefunds(shop.paymentContext)

    await becomes('closed')
    await refunded((await read()).order.priceCents)
    expect([await stockOf(db, mug), await stockOf(db, bowl)]).toEqual([STOCK, STOCK])
  })

  test('and a return need a reason that fits them', async () => {
    const { ask, deliver } = await paid()
    const refused = { status: 422, fields: { reason: 'Choose a reason' } }
    await expect(ask('Mug', 1, 'cancellation', 'does_not_fit')).rejects.toMatchObject(refused)
    await deliver()
    await expect(ask('Mug', 1, 'return', 'too_late')).rejects.toMatchObject(refused)
  })

  test('never cancels more than was ordered, even if it is requested several times at once', async () => {
    const { ask, refunded } = await paid()

    const results = await Promise.allSettled(Array.from({ length: 4 }, () => ask('Mug', 2, 'cancellation')))

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await refunded(2 * MUG_CENTS)
  })
})

describe('a return', () => {
  test('goes from the request to the refund; units are restocked only if the shop says so', async () => {
    const { ask, deliver, ada, latest, refunded, becomes, mug, read, titles } = await paid()
    await deliver()
    await ask('Mug', 1, 'return', 'damaged')
    const { id: returnId } = await latest()

    await market('return', 'approve', returnId)
    await ada.api.sendReturnBack({ returnId, tracking: 'DHL 1' })
    expect((await market('return', 'list')).out).toContain('tracking DHL 1')
    await market('return', 'received', returnId)

    await refunded(MUG_CENTS)
    await becomes('refunded')
    expect(await stockOf(db, mug)).toBe(STOCK - 3)
    const texts = (await read()).order.timeline.map(({ text }) => text)
    expect(texts.filter(text => /eturn|efund/.test(text)).length).toBeGreaterThanOrEqual(6)
    expect(await titles()).toEqual(expect.arrayContaining(['Your return is approved', 'Your return has arrived']))

    await ask('Mug', 2, 'return')
    const second = await latest()
    await market('return', 'approve', second.id)
    await market('return', 'received', second.id, '--restock')
    await refunded(3 * MUG_CENTS + SHIPPING_CENTS)
    expect(await stockOf(db, mug)).toBe(STOCK - 1)
  })

  test('that the shop declines is decided by the operator if the customer asks for it', async () => {
    const { ask, deliver, ada, latest, refunded, read, titles } = await paid()
    await deliver()
    await ask('Bowl', 1, 'return')
    const { id: returnId } = await latest()
    await market('return', 'decline', returnId, '--because', 'It was used.')

    await ada.api.escalateReturn({ returnId })
    expect(await market('return', 'decide', returnId, 'refund')).toMatchObject({ code: 0 })

    await refunded(BOWL_CENTS + SHIPPING_CENTS)
    const { order } = await read()
    expect(order.timeline.map(({ text }) => text)).toContain('We decided in your favour')
    expect(await titles()).toContain('We have decided on your return')
  })

  test('that the shop leaves unanswered for three days can be escalated to the operator', async () => {
    const { ask, deliver, ada, latest, titles } = await paid()
    await deliver()
    await ask('Bowl', 1, 'return')
    const { id: returnId } = await latest()
    await expect(ada.api.escalateReturn({ returnId })).rejects.toMatchObject({ status: 422 })

    await moveDueReturns(db, jobs)
    expect((await latest()).status).toBe('requested')
    await db
      .update(returns)
      .set({ dueAt: new Date(Date.now() - 1000) })
      .where(eq(returns.id, returnId))
    await Promise.all([1, 2].map(() => moveDueReturns(db, jobs)))

    expect((await latest()).status).toBe('unanswered')
    expect((await titles()).filter(title => title.includes('has not replied'))).toHaveLength(1)
    await ada.api.escalateReturn({ returnId })
  })

  test('is possible for 30 days after the delivery', async () => {
    const { ask, deliver, orderId, list } = await paid()
    await expect(ask('Mug', 1, 'return')).rejects.toMatchObject({ status: 422 })
    await deliver()
    expect((await list()).available).toMatchObject([{ kind: 'return' }, { kind: 'return' }])

    // On the thirtieth day, it is possible until midnight.
    const old = new Date(Date.now() - 31 * 24 * 3600_000)
    await db.update(orderSteps).set({ at: old }).where(eq(orderSteps.orderId, orderId))

    expect((await list()).available).toEqual([])
  })

  test('of all of a part refunds no shipping if the shop said so before the order; a cancellation does', async () => {
    const { ask, deliver, orderId, latest, list, refunded, becomes } = await paid(async ({ bowl }) => {
      const [seller] = await db.select().from(sellers).where(eq(sellers.id, bowl.sellerId))
      expect((await market('seller', 'refund-shipping', seller!.key, '--off')).out).toContain('keeps the shipping')
      expect((await market('seller', 'show', seller!.key)).out).toContain('keeps the shipping of what is returned')
      const [other] = await db.select().from(sellers).where(ne(sellers.id, bowl.sellerId))
      await market('seller', 'refund-shipping', other!.key)
    })
    expect((await list()).available.map(part => part.isShippingRefunded)).toEqual([true, true])
    await deliver()
    const { available } = await list()
    expect(
      available.map(part => `${part.lines[0]?.name}: ${part.isShippingRefunded}, ${part.shippingCents}`).toSorted(),
    ).toEqual(['Bowl: false, undefined', `Mug: true, ${SHIPPING_CENTS}`])

    await ask('Bowl', 1, 'return')
    const { id } = await latest()
    await market('return', 'approve', id)
    await market('return', 'received', id)
    await refunded(BOWL_CENTS)
    await becomes('refunded')

    const other = await paid(({ bowl }) => market('seller', 'refund-shipping', bowl.sellerId, '--off'))
    await other.ask('Bowl', 1, 'cancellation')
    await other.refunded(BOWL_CENTS + SHIPPING_CENTS)
    expect(orderId).not.toBe(other.orderId)
  })

  test.each(['order', 'amount'] as const)('ends when the marketplace refunds all, as an %s', async what => {
    const { ask, deliver, ada, orderId, latest, read, refunded, becomes, titles } = await paid()
    await deliver()
    await ask('Bowl', 1, 'return')
    const { id: returnId } = await latest()
    await market('return', 'approve', returnId)
    await ada.api.sendReturnBack({ returnId, tracking: '' })
    const { priceCents } = (await read()).order

    await market('order', 'refund', orderId, ...(what === 'amount' ? ['--amount', String(priceCents / 100)] : []))
    await payRefunds(shop.paymentContext)

    await refunded(priceCents)
    await becomes('closed')
    expect(await latest()).toMatchObject({ refundCents: 0 })
    expect((await read()).order.timeline.map(({ text }) => text)).toContain('Return ended: the whole order is refunded')
    expect(await titles()).toContain('Your return has ended')
    expect((await market('return', 'list')).out).not.toContain(returnId)
    const late = await market('return', 'received', returnId)
    expect(late).toMatchObject({ code: 1, err: expect.stringContaining('This return is closed') as string })
  })

  test('of another shop cannot be handled by a shop', async () => {
    const { ask, deliver, latest } = await paid()
    await deliver()
    await ask('Bowl', 1, 'return')

    const moved = moveReturn(db, jobs, (await latest()).id, { event: 'approve', owner: { shop: 'Somebody else' } })

    await expect(moved).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
