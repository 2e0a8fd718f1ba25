import { eq, inArray } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { auditEvents, parcels, paymentAttempts, sellerOrders } from '#server/db/schema.ts'
import { cancelByOperator, handleExternalRefund, refundOrder, releaseExpired } from '#server/orders/cancelling.ts'
import { deliverOrder, shipOrder } from '#server/orders/deliveries.ts'
import { stockOf } from '#tests/support/catalogue/catalogue.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { subjectOf } from '#tests/support/provider/letters.ts'
import { addShippable, assertInvariants, orderOf, payOrder } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, jobs, customer, letters, close } = await startProvider({ limits: 'placeOrder=1000/1m' })
afterAll(close)
afterEach(() => assertInvariants(db))

const STOCK = 5

/** Places an order of one product and pays it if `isPaid`. */
async function placed({ isPaid = false, quantity = 1 } = {}) {
  const ada = await customer()
  const product = await addShippable(db, { stock: STOCK })
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [{ product, quantity }]))
  const read = async () => (await ada.api.getOrder({ orderId })).order
  if (isPaid) {
    await payOrder(db, jobs, await read())
  }
  return {
    ada,
    orderId,
    read,
    product,
    stock: () => stockOf(db, product),
    subjects: () => letters.filter(({ to }) => to === ada.email).map(subjectOf),
  }
}

/** The audit records with these details, each as its event and outcome. */
async function audited(details: Record<string, unknown>) {
  const rows = await db.select().from(auditEvents).where(eq(auditEvents.details, details)).orderBy(auditEvents.id)
  return rows.map(({ event, outcome }) => [event, outcome])
}

describe('an order refunded by the operator', () => {
  test('is cancelled as a whole if no line is shipped, and the customer gets a mail', async () => {
    const { orderId, read, stock, subjects } = await placed({ isPaid: true })

    expect(await refundOrder(db, jobs, orderId)).toBe('refund_pending')

    const order = await read()
    expect(order).toMatchObject({ status: 'cancelled', paymentStatus: 'refund_pending' })
    expect(order.timeline.map(({ text }) => text)).toContain('Cancelled by the marketplace')
    expect(await stock()).toBe(STOCK)
    expect(await audited({ orderId })).toContainEqual(['refund_wanted', 'ok'])
    await vi.waitFor(() => expect(subjects()).toContain('Your order is cancelled'), PATIENCE)
  })

  test('stays delivered: none of its units returns to the stock', async () => {
    const { orderId, read, stock } = await placed({ isPaid: true })
    await shipOrder(db, jobs, orderId)
    await deliverOrder(db, orderId)

    expect(await refundOrder(db, jobs, orderId)).toBe('refund_pending')

    expect(await read()).toMatchObject({ status: 'placed', deliveryStatus: 'Delivered' })
    expect(await stock()).toBe(STOCK - 1)
    await expect(cancelByOperator(db, jobs, orderId)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test.each([
    ['shipped', false],
    ['delivered', true],
  ])('is %s if only a part of it was sent, and the rest returns to the stock', async (status, hasArrived) => {
    const { ada, orderId, product, stock } = await placed({ isPaid: true, quantity: 4 })
    await shipOrder(db, jobs, orderId, { items: [{ name: product.slug, quantity: 1 }] })
    if (hasArrived) await deliverOrder(db, orderId)

    await refundOrder(db, jobs, orderId)

    expect(await stock()).toBe(STOCK - 1)
    const [part] = await db.select().from(sellerOrders).where(eq(sellerOrders.orderId, orderId))
    expect([part!.deliveryStatus.toLowerCase(), part!.deliveredAt !== null]).toEqual([status, hasArrived])
    const [shown] = (await ada.api.getOrder({ orderId })).sellerOrders
    expect([shown!.unsent, shown!.cancelled.map(({ quantity }) => quantity)]).toEqual([[], [3]])
  })

  test.each(['Shipped', 'Delivered'])('stays %s if a version before parcels has sent it', async status => {
    const { orderId, read } = await placed({ isPaid: true })
    await shipOrder(db, jobs, orderId)
    if (status === 'Delivered') await deliverOrder(db, orderId)
    const parts = db.select({ id: sellerOrders.id }).from(sellerOrders).where(eq(sellerOrders.orderId, orderId))
    await db.delete(parcels).where(inArray(parcels.sellerOrderId, parts))

    await expect(cancelByOperator(db, jobs, orderId)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('has shipped its part already: refund the order instead') as string,
    })
    await refundOrder(db, jobs, orderId)

    expect(await read()).toMatchObject({ status: 'placed', paymentStatus: 'refund_pending', deliveryStatus: status })
  })

  test('needs no refund payment if it was free', async () => {
    const ada = await customer()
    const gift = await addShippable(db, { priceCents: 0, shippingPrices: { Kenya: 0 }, stock: STOCK })
    const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [gift]))

    expect(await refundOrder(db, jobs, orderId)).toBe('refunded')

    expect(await stockOf(db, gift)).toBe(STOCK)
  })

  test('must be paid', async () => {
    const { orderId, read } = await placed()

    await expect(refundOrder(db, jobs, orderId)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'Only a paid order can be refunded; this one is unpaid',
    })

    expect(await read()).toMatchObject({ status: 'pending', paymentStatus: 'unpaid' })
  })
})

test('money that went back outside the shop cancels the order once', async () => {
  const { orderId, read, stock } = await placed({ isPaid: true })
  const [attempt] = await db.select().from(paymentAttempts).where(eq(paymentAttempts.orderId, orderId))
  const goesBack = () => handleExternalRefund(db, jobs, attempt!.id)

  expect([await goesBack(), await goesBack()]).toEqual([true, false])

  expect(await read()).toMatchObject({ status: 'cancelled', paymentStatus: 'refund_pending' })
  expect(await stock()).toBe(STOCK)
  expect(await audited({ orderId, attemptId: attempt!.id })).toEqual([['payment_returned', 'ok']])
})

describe('an order cancelled by the operator', () => {
  test('needs no refund if it is unpaid, and is cancelled only once', async () => {
    const { orderId, read, stock } = await placed()

    expect(await cancelByOperator(db, jobs, orderId)).toBe('unpaid')

    const order = await read()
    expect(order).toMatchObject({ status: 'cancelled', paymentStatus: 'unpaid' })
    expect(order.timeline.map(({ text }) => text)).toEqual(['Order received', 'Cancelled by the marketplace'])
    await expect(cancelByOperator(db, jobs, orderId)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'This order is already cancelled',
    })
    expect(await stock()).toBe(STOCK)
    expect(await audited({ orderId, by: 'operator' })).toEqual([['order_cancelled', 'ok']])
  })
})

test('an order that does not exist is neither cancelled nor refunded', async () => {
  const unknown = { code: 'NOT_FOUND' }

  await expect(cancelByOperator(db, jobs, 'nothing')).rejects.toMatchObject(unknown)
  await expect(refundOrder(db, jobs, 'nothing')).rejects.toMatchObject(unknown)
})

test('a customer’s own cancellation is in the audit log, under their name', async () => {
  const { ada, orderId } = await placed()

  await ada.api.cancelOrder({ orderId })

  const [row] = await db.select().from(auditEvents).where(eq(auditEvents.actorId, ada.id)).orderBy(auditEvents.id)
  expect(row).toBeDefined()
  expect(await audited({ orderId })).toEqual([['order_cancelled', 'ok']])
})

test('the sweep of expired orders leaves those whose payment is still being looked up', async () => {
  const [waiting, unpaid] = [await placed(), await placed()]
  const later = new Date(Date.now() + 48 * 3600_000)

  expect(await releaseExpired(db, jobs, later, new Set([waiting.orderId]))).toBeGreaterThan(0)

  expect((await waiting.read()).status).toBe('pending')
  expect((await unpaid.read()).status).toBe('cancelled')
})
