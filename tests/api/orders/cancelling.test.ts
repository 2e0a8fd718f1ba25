import { eq, inArray } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { auditEvents, orders, users, variants } from '#server/db/schema.ts'
import { changeProduct } from '#server/catalogue/product-management.ts'
import { cancelByOperator, refundOrder, releaseExpired } from '#server/orders/cancelling.ts'
import { deliverOrder, shipOrder } from '#server/orders/deliveries.ts'
import { settleRefund } from '#server/payments/refund-settling.ts'
import { settle } from '#server/payments/settling.ts'
import { lettersSent, subjectOf } from '#tests/support/provider/letters.ts'
import { addAttempt, addShippable, assertInvariants, orderOf, reportOf } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'
import { stockOf } from '#tests/support/catalogue/catalogue.ts'
import { PATIENCE } from '#tests/support/patience.ts'

const { db, jobs, customer, letters, close } = await startProvider({ limits: 'placeOrder=1000/1m' })
afterAll(close)
afterEach(() => assertInvariants(db, { initialStock }))

const initialStock = new Map<string, number>()

/** Places an order with two shops and pays it if `isPaid`. */
async function placed({ isPaid = false, name = 'Ada Customer' } = {}) {
  const ada = await customer(name)
  const wishes = [await addShippable(db, { shopName: 'Toy Town' }), await addShippable(db, { shopName: 'Lights' })]
  for (const { variantId, stock } of wishes) initialStock.set(variantId, stock)
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, wishes))
  const read = () => ada.api.getOrder({ orderId })
  const attempt = await addAttempt(db, (await read()).order)
  if (isPaid) await settle(db, jobs, attempt.id, reportOf(attempt))
  const stocks = async () => {
    const rows = await db
      .select()
      .from(variants)
      .where(
        inArray(
          variants.id,
          wishes.map(({ variantId }) => variantId),
        ),
      )
    return rows.map(({ stock }) => stock)
  }
  const mailed = () => letters.filter(({ to }) => to === ada.email)
  return { ada, orderId, read, attempt, stocks, mailed }
}

async function expire(orderId: string) {
  await db
    .update(orders)
    .set({ heldUntil: new Date(Date.now() - 1000) })
    .where(eq(orders.id, orderId))
}

describe('an order cancelled by its customer', () => {
  test('returns its units to the stock', async () => {
    const { ada, orderId, read, stocks } = await placed()
    await ada.api.cancelOrder({ orderId })
    await ada.api.cancelOrder({ orderId })

    const { order, sellerOrders } = await read()
    expect(order).toMatchObject({ status: 'cancelled', paymentStatus: 'unpaid' })
    expect(order.timeline.map(({ text }) => text)).toEqual(['Order received', 'Cancelled by you'])
    expect(sellerOrders.map(({ deliveryStatus }) => deliveryStatus)).toEqual(['Cancelled', 'Cancelled'])
    expect(await stocks()).toEqual([5, 5])
    const written = await db.select().from(auditEvents).where(eq(auditEvents.actorId, ada.id))
    expect(written.filter(({ event }) => event === 'order_cancelled')).toHaveLength(1)
  })

  test('is cancelled at the end of its hold if the customer’s account is gone', async () => {
    const { ada, orderId, stocks } = await placed()
    await expire(orderId)
    await db.delete(users).where(eq(users.id, ada.id))

    expect(await releaseExpired(db, jobs)).toBe(1)

    expect(await stocks()).toEqual([5, 5])
  })

  test('adds its units to the stock that the operator has set in the meantime', async () => {
    const ada = await customer()
    const kite = await addShippable(db, { stock: 5 })
    const held = await ada.api.placeOrder(orderOf(ada.id, [{ product: kite, quantity: 2 }]))
    // Three are left to sell. The operator sets ten: seven more than before.
    await changeProduct(db, kite.slug, { stock: 10 })
    initialStock.set(kite.variantId, 5 + 7)
    await assertInvariants(db, { initialStock })

    await ada.api.cancelOrder({ orderId: held.orderId })

    expect(await stockOf(db, kite)).toBe(12)
  })

  test('must be unpaid and the customer’s own; otherwise cancelling fails', async () => {
    const { ada, orderId, read } = await placed({ isPaid: true })
    const before = await read()
    const mallory = await customer()

    await expect(ada.api.cancelOrder({ orderId })).rejects.toMatchObject({
      status: 422,
      message: 'This order is paid and can no longer be cancelled',
    })
    const nothing = { status: 404, message: 'There is no such order' }
    await expect(mallory.api.cancelOrder({ orderId })).rejects.toMatchObject(nothing)
    await expect(mallory.api.cancelOrder({ orderId: 'nothing' })).rejects.toMatchObject(nothing)
    expect(await read()).toEqual(before)
  })

  test('and paid at the same moment ends as either paid or cancelled with a refund', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { ada, orderId, attempt, read, stocks } = await placed()
      const [, paying] = await Promise.allSettled([
        ada.api.cancelOrder({ orderId }),
        settle(db, jobs, attempt.id, reportOf(attempt)),
      ])

      expect(paying.status).toBe('fulfilled')
      const { order } = await read()
      const isPaid = order.paymentStatus === 'paid'
      expect(order).toMatchObject(
        isPaid ? { status: 'placed' } : { status: 'cancelled', paymentStatus: 'refund_pending' },
      )
      expect(await stocks()).toEqual(isPaid ? [4, 4] : [5, 5])
    }
  })
})

describe('the sweep of expired orders', () => {
  test('cancels each unpaid order once, even when several sweeps run at the same time', async () => {
    const expired = await Promise.all([1, 2, 3, 4, 5, 6].map(() => placed()))
    for (const { orderId } of expired) await expire(orderId)
    const [alive, paid] = [await placed(), await placed({ isPaid: true })]

    const counts = await Promise.all([1, 2, 3, 4].map(() => releaseExpired(db, jobs)))

    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(expired.length)
    for (const { read, stocks } of expired) {
      const { order } = await read()
      expect(order.status).toBe('cancelled')
      expect(order.timeline.map(({ text }) => text)).toEqual(['Order received', 'Cancelled: it was not paid in time'])
      expect(await stocks()).toEqual([5, 5])
    }
    expect((await alive.read()).order.status).toBe('pending')
    expect((await paid.read()).order.status).toBe('placed')
    expect(await releaseExpired(db, jobs)).toBe(0)
  })

  test('cancels the other orders when one cannot be cancelled', async () => {
    const [broken, whole] = [await placed(), await placed()]
    for (const { orderId } of [broken, whole]) await expire(orderId)
    const transact: typeof jobs.transact = (on, work) =>
      jobs.transact(on, (tx, sendJob) =>
        work(tx, (name, data) =>
          'orderId' in data && data.orderId === broken.orderId
            ? Promise.reject(new Error('no mail'))
            : sendJob(name, data),
        ),
      )

    await expect(releaseExpired(db, { ...jobs, transact })).rejects.toThrow(/^1 of \d+ tasks failed$/)
    expect((await broken.read()).order.status).toBe('pending')
    expect((await whole.read()).order.status).toBe('cancelled')
    await releaseExpired(db, jobs)
    expect((await broken.read()).order.status).toBe('cancelled')
  })
})

describe('the operator', () => {
  test('ships and delivers whole orders or one shop’s part', async () => {
    const { orderId, read } = await placed({ isPaid: true })
    const statuses = async () => (await read()).sellerOrders.map(({ deliveryStatus }) => deliveryStatus)

    expect(await shipOrder(db, jobs, orderId, { shop: 'Toy Town' })).toEqual(['Toy Town'])
    expect(await statuses()).toEqual(['Shipped', 'Processing'])
    expect((await read()).order.deliveryStatus).toBe('Processing')
    await expect(shipOrder(db, jobs, orderId, { shop: 'Toy Town' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'Nothing of this order is Processing at Toy Town',
    })
    await expect(deliverOrder(db, orderId, { shop: 'Lights' })).rejects.toMatchObject({
      message: 'Nothing of this order is Shipped at Lights',
    })
    await expect(deliverOrder(db, orderId, { number: 9 })).rejects.toMatchObject({
      message: 'Toy Town and Lights have no parcel 9 on its way',
    })
    await expect(shipOrder(db, jobs, orderId, { shop: 'Toy Twon' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringMatching(
        /^No part of this order is from a shop called 'Toy Twon', only from Toy Town \([\w-]+\) and Lights \([\w-]+\)$/,
      ) as string,
    })
    await shipOrder(db, jobs, orderId)
    expect(await deliverOrder(db, orderId)).toHaveLength(2)
    expect(await statuses()).toEqual(['Delivered', 'Delivered'])
    expect((await read()).order.deliveryStatus).toBe('Delivered')

    const texts = (await read()).order.timeline.map(({ text }) => text)
    expect(texts.slice(2)).toEqual([
      'Shipped by Toy Town',
      'Shipped by Lights',
      'Delivered from Toy Town',
      'Delivered from Lights',
    ])
  })

  test('cannot ship an unpaid order', async () => {
    const { orderId } = await placed()
    await expect(shipOrder(db, jobs, orderId)).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(shipOrder(db, jobs, 'nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('cancels a paid order: its units return to the stock and the payment is refunded', async () => {
    const { orderId, read, stocks, attempt } = await placed({ isPaid: true })

    expect(await cancelByOperator(db, jobs, orderId)).toBe('refund_pending')

    expect((await read()).order).toMatchObject({ status: 'cancelled', paymentStatus: 'refund_pending' })
    expect(await stocks()).toEqual([5, 5])
    await settleRefund(db, jobs, attempt.id)
    expect((await read()).order.paymentStatus).toBe('refunded')
    await expect(cancelByOperator(db, jobs, orderId)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('refunds a partly shipped order: the rest is cancelled', async () => {
    const { orderId, read, stocks } = await placed({ isPaid: true })
    await shipOrder(db, jobs, orderId, { shop: 'Lights' })
    await expect(cancelByOperator(db, jobs, orderId)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'Lights has shipped its part already: refund the order instead',
    })

    expect(await refundOrder(db, jobs, orderId)).toBe('refund_pending')

    const { order, sellerOrders } = await read()
    expect(order).toMatchObject({ status: 'placed', paymentStatus: 'refund_pending', deliveryStatus: 'Shipped' })
    expect(sellerOrders.map(({ deliveryStatus }) => deliveryStatus)).toEqual(['Cancelled', 'Shipped'])
    expect((await stocks()).toSorted((a, b) => a - b)).toEqual([4, 5])
    await expect(refundOrder(db, jobs, orderId)).rejects.toMatchObject({ code: 'CONFLICT' })
  })
})

test('the customer gets a mail for each step, with the products of the shops concerned', async () => {
  const { orderId, mailed, attempt, ada } = await placed({ name: 'Ada Customer' })
  await lettersSent(db)
  await settle(db, jobs, attempt.id, reportOf(attempt))
  await lettersSent(db)
  await shipOrder(db, jobs, orderId, { shop: 'Toy Town' })
  await refundOrder(db, jobs, orderId)
  await settleRefund(db, jobs, attempt.id)

  await vi.waitFor(() => expect(mailed()).toHaveLength(4), PATIENCE)
  const bySubject = new Map(mailed().map(letter => [subjectOf(letter), letter]))
  expect([...bySubject.keys()].toSorted()).toEqual([
    'Toy Town has shipped your order',
    'We have received your order',
    'We have refunded your payment',
    'Your order is paid',
  ])
  const received = bySubject.get('We have received your order')!
  expect(received.to).toBe(ada.email)
  expect(received.link).toContain(`/payment?order=${orderId}`)
  for (const part of ['Toy Town', 'Lights', '$49.98', 'Deliver to:', 'Ada Lovelace']) {
    expect(received.text).toContain(part)
    expect(received.html).toContain(part)
  }
  const shipped = bySubject.get('Toy Town has shipped your order')!
  expect(shipped.text).not.toContain('Lights')
  expect(shipped.link).toContain('/track-order?token=')
})
