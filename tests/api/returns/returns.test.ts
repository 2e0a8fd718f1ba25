import { eq } from 'drizzle-orm'
import * as fc from 'fast-check'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import type { ReturnKind, ReturnReason } from '#contract/returns.ts'
import { orderLines, orderSteps, payments, returns } from '#server/db/schema.ts'
import { deliverOrder, packOrder, shipOrder } from '#server/orders/deliveries.ts'
import { expireReturn, moveReturn } from '#server/returns/moving.ts'
import { type ReturnEvent, TRANSITIONS } from '#server/returns/transitions.ts'
import { stockOf } from '#tests/support/catalogue/catalogue.ts'
import { PATIENCE } from '#tests/support/faults/patience.ts'
import { rounds } from '#tests/support/faults/rounds.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { addShippable, assertInvariants, orderOf, SHIPPING_CENTS } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const shop = await startProvider({ limits: 'placeOrder=1000/1m,returns=10000/1m,confirm=1000/1m,api=100000/1m' })
const { db, jobs, customer, request, close } = shop
afterAll(close)
const initialStock = new Map<string, number>()
afterEach(() => assertInvariants(db, { initialStock }))
const market = operatorOf(shop)

const STOCK = 20
const MUG_CENTS = 1999
const BOWL_CENTS = 755

/** A paid order of three mugs of one shop and one bowl of another. */
async function paid() {
  const ada = await customer()
  const mug = await addShippable(db, { priceCents: MUG_CENTS, stock: STOCK, name: 'Mug' })
  const bowl = await addShippable(db, { priceCents: BOWL_CENTS, stock: STOCK, name: 'Bowl' })
  for (const { variantId } of [mug, bowl]) initialStock.set(variantId, STOCK)
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [{ product: mug, quantity: 3 }, bowl]))
  const { reference } = await ada.api.startPayment({ orderId })
  const body = JSON.stringify({ reference, method: 'card', number: '4242424242424242' })
  const headers = { 'content-type': 'application/json' }
  await request('/api/payment/sandbox/pay', { method: 'POST', headers, body })
  await ada.api.confirmOrder({ orderId })
  const list = () => ada.api.getReturns({ orderId })
  const ask = async (name: string, quantity: number, kind: ReturnKind, reason: ReturnReason = 'changed_mind') => {
    const { available } = await list()
    const part = available.find(({ lines }) => lines.some(line => line.name === name))
    const line = part?.lines.find(each => each.name === name)
    const about = { sellerOrderId: part?.sellerOrderId ?? '', lines: [{ lineId: line?.lineId ?? '', quantity }] }
    return ada.api.requestReturn({ orderId, kind, reason, words: 'Please', ...about })
  }
  return {
    ada,
    orderId,
    mug,
    bowl,
    list,
    ask,
    latest: async () => (await list()).returns[0]!,
    read: async () => ada.api.getOrder({ orderId }),
    deliver: async () => {
      await shipOrder(db, jobs, orderId)
      await deliverOrder(db, orderId)
    },
    refunded: (cents: number) =>
      vi.waitFor(async () => {
        const { order } = await ada.api.getOrder({ orderId })
        expect(order.refundedCents).toBe(cents)
      }, PATIENCE),
    becomes: (status: string) =>
      vi.waitFor(async () => expect((await list()).returns[0]?.status).toBe(status), PATIENCE),
    titles: async () => (await ada.api.getNotifications({})).notifications.map(({ title }) => title),
  }
}

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
    expect(await titles()).toContain('Your cancellation is done')
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
    const { ask, read, mug, bowl } = await paid()
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
  })

  test('is for the shop to decide once it has packed', async () => {
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

  test('never cancels more than was ordered, however often it is sent at once', async () => {
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

  test('that the shop declines is decided by the operator if the customer brings it', async () => {
    const { ask, deliver, ada, latest, refunded } = await paid()
    await deliver()
    await ask('Bowl', 1, 'return')
    const { id: returnId } = await latest()
    await market('return', 'decline', returnId, '--because', 'It was used.')

    await ada.api.escalateReturn({ returnId })
    expect(await market('return', 'decide', returnId, 'refund')).toMatchObject({ code: 0 })

    await refunded(BOWL_CENTS + SHIPPING_CENTS)
  })

  test('that the shop leaves unanswered for three days can be brought to the operator', async () => {
    const { ask, deliver, ada, latest, titles } = await paid()
    await deliver()
    await ask('Bowl', 1, 'return')
    const { id: returnId } = await latest()
    await expect(ada.api.escalateReturn({ returnId })).rejects.toMatchObject({ status: 422 })

    await expireReturn(db, jobs, returnId, 'requested')
    expect((await latest()).status).toBe('requested')
    await db
      .update(returns)
      .set({ dueAt: new Date(Date.now() - 1000) })
      .where(eq(returns.id, returnId))
    await Promise.all([1, 2].map(() => expireReturn(db, jobs, returnId, 'requested')))

    expect((await latest()).status).toBe('unanswered')
    expect((await titles()).filter(title => title.includes('has not replied'))).toHaveLength(1)
    await ada.api.escalateReturn({ returnId })
  })

  test('is possible for 30 days after the delivery', async () => {
    const { ask, deliver, orderId, list } = await paid()
    await expect(ask('Mug', 1, 'return')).rejects.toMatchObject({ status: 422 })
    await deliver()
    expect((await list()).available).toMatchObject([{ kind: 'return' }, { kind: 'return' }])

    const old = new Date(Date.now() - 30 * 24 * 3600_000 - 1000)
    await db.update(orderSteps).set({ at: old }).where(eq(orderSteps.orderId, orderId))

    expect((await list()).available).toEqual([])
  })

  test('of another shop cannot be handled by a shop', async () => {
    const { ask, deliver, latest } = await paid()
    await deliver()
    await ask('Bowl', 1, 'return')

    const moved = moveReturn(db, jobs, (await latest()).id, { event: 'approve', owner: { shop: 'Somebody else' } })

    await expect(moved).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

test('whatever happens to an order’s returns, money and stock add up', { timeout: 300_000 }, async () => {
  const events = Object.keys(TRANSITIONS.return) as ReturnEvent[]
  const act = fc.oneof(
    fc.record({ name: fc.constantFrom('Mug', 'Bowl'), quantity: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ event: fc.constantFrom(...events), isRestocked: fc.boolean(), pick: fc.nat(5) }),
    fc.constantFrom('pack' as const, 'deliver' as const),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 6, maxLength: 24 }), async acts => {
      const { ask, list, orderId, deliver, read } = await paid()
      const unexpected: unknown[] = []
      for (const each of acts) {
        if (each === 'pack') await packOrder(db, orderId).catch(() => undefined)
        else if (each === 'deliver') await deliver().catch(() => undefined)
        else if ('name' in each) {
          await ask(each.name, each.quantity, 'cancellation').catch(() => undefined)
          await ask(each.name, each.quantity, 'return').catch(() => undefined)
        } else {
          const all = (await list()).returns
          const given = all[each.pick % Math.max(1, all.length)]
          if (!given) continue
          const next = TRANSITIONS[given.kind][each.event][given.status]
          const moved = await moveReturn(db, jobs, given.id, each).catch(() => undefined)
          // A cancellation of what is sent off meanwhile is rejected.
          if (moved !== next && (next !== 'received' || moved !== undefined)) unexpected.push([each.event, moved, next])
        }
        await assertInvariants(db, { initialStock })
      }
      expect(unexpected).toEqual([])
      const { order } = await read()
      const done = (await list()).returns.filter(({ status }) => status === 'received' || status === 'refunded')
      const wanted = done.reduce((sum, { refundCents }) => sum + refundCents, 0)
      expect(wanted).toBeLessThanOrEqual(order.priceCents)
      await vi.waitFor(async () => {
        const rows = await db.select().from(payments).where(eq(payments.orderId, orderId))
        const paidBack = rows.reduce((sum, { kind, amountCents }) => sum + (kind === 'refund' ? amountCents : 0), 0)
        expect(paidBack).toBe(wanted)
      }, PATIENCE)
    }),
    { numRuns: rounds(10, 300) },
  )
  expect(await db.$count(orderLines)).toBeGreaterThan(0)
})
