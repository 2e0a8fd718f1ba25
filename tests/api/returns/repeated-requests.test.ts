import { eq } from 'drizzle-orm'
import { afterAll, afterEach, expect, test } from 'vitest'
import { returns } from '#server/db/schema.ts'
import { moveReturn } from '#server/returns/moving.ts'
import { stockOf } from '#tests/support/catalogue/catalogue.ts'
import { MUG_CENTS, startReturningShop, STOCK } from '#tests/support/provider/returning-shop.ts'

const { db, jobs, paid, check, close } = await startReturningShop()
afterAll(close)
afterEach(check)

type Paid = Awaited<ReturnType<typeof paid>>

/** A request to cancel one of the order's three mugs. */
async function oneMug({ orderId, list }: Paid) {
  const part = (await list()).available.find(({ lines }) => lines.some(({ name }) => name === 'Mug'))!
  const lines = [{ lineId: part.lines[0]!.lineId, quantity: 1 }]
  return {
    orderId,
    sellerOrderId: part.sellerOrderId,
    kind: 'cancellation',
    reason: 'mistake',
    words: '',
    lines,
  } as const
}

test('the same request with the same key cancels and refunds one mug, however often it is sent', async () => {
  const order = await paid()
  const { api } = order.ada
  const request = { ...(await oneMug(order)), key: 'a' }

  const first = await api.requestReturn(request)
  const again = await Promise.all([api.requestReturn(request), api.requestReturn(request)])

  expect(again).toEqual([first, first])
  await order.refunded(MUG_CENTS)
  expect(await stockOf(db, order.mug)).toBe(STOCK - 2)
})

test('without a key, the same request a moment later is a repeat, and another quantity is not', async () => {
  const order = await paid()
  const { api } = order.ada
  const request = await oneMug(order)

  const first = await api.requestReturn(request)
  const again = await api.requestReturn(request)
  const two = await api.requestReturn({ ...request, lines: [{ ...request.lines[0]!, quantity: 2 }] })

  expect(again).toEqual(first)
  expect(two.returnId).not.toBe(first.returnId)
  expect(await stockOf(db, order.mug)).toBe(STOCK)
})

test('another key is another request', async () => {
  const order = await paid()
  const { api } = order.ada
  const request = await oneMug(order)

  await api.requestReturn({ ...request, key: 'a' })
  await api.requestReturn({ ...request, key: 'b' })

  await order.refunded(2 * MUG_CENTS)
  expect(await stockOf(db, order.mug)).toBe(STOCK - 1)
})

test('what was withdrawn can be requested again with the same words', async () => {
  const order = await paid()
  await order.deliver()
  const { api } = order.ada
  const request = { ...(await oneMug(order)), kind: 'return', reason: 'changed_mind' } as const

  const { returnId } = await api.requestReturn(request)
  await api.withdrawReturn({ returnId })

  expect((await api.requestReturn(request)).returnId).not.toBe(returnId)
})

test('the same key with other products is rejected, and cancels nothing more', async () => {
  const order = await paid()
  const { api } = order.ada
  const request = { ...(await oneMug(order)), key: 'a' }
  await api.requestReturn(request)

  const two = { ...request, lines: [{ ...request.lines[0]!, quantity: 2 }] }

  await expect(api.requestReturn(two)).rejects.toMatchObject({ status: 422, code: 'IDEMPOTENCY_KEY_REUSED' })
  expect(await stockOf(db, order.mug)).toBe(STOCK - 2)
})

test('a request that arrives again after it was withdrawn, with the same key, does not open another', async () => {
  const order = await paid()
  await order.deliver()
  const { api } = order.ada
  const request = { ...(await oneMug(order)), kind: 'return', reason: 'changed_mind', key: 'a' } as const
  const { returnId } = await api.requestReturn(request)
  await api.withdrawReturn({ returnId })

  expect((await api.requestReturn(request)).returnId).toBe(returnId)
  expect((await order.list()).returns).toMatchObject([{ id: returnId, status: 'withdrawn' }])
})

test('what the customer has done already is not done again', async () => {
  const order = await paid()
  await order.deliver()
  const { api } = order.ada
  const { returnId } = await order.ask('Mug', 1, 'return')
  const { returnId: withdrawn } = await order.ask('Bowl', 1, 'return')
  await moveReturn(db, jobs, returnId, { event: 'approve' })
  const before = (await order.read()).order.timeline.length
  const sendBack = (tracking: string) => api.sendReturnBack({ returnId, tracking })

  const first = await sendBack('JD0123')
  expect(await sendBack('JD0123')).toEqual(first)
  await expect(sendBack('JD0456')).rejects.toMatchObject({ status: 422, message: 'This return is sent back' })
  await db.update(returns).set({ status: 'unconfirmed' }).where(eq(returns.id, returnId))
  await Promise.all([api.escalateReturn({ returnId }), api.escalateReturn({ returnId })])
  await Promise.all([api.withdrawReturn({ returnId: withdrawn }), api.withdrawReturn({ returnId: withdrawn })])

  expect((await order.read()).order.timeline).toHaveLength(before + 3)
})
