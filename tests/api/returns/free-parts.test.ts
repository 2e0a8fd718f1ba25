// @module-tag embedded
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { moveDueReturns } from '#server/returns/due.ts'
import { moveReturn } from '#server/returns/moving.ts'
import { stockOf } from '#tests/support/catalogue/catalogue.ts'
import { PATIENCE } from '#tests/support/faults/patience.ts'
import { startReturningShop, STOCK } from '#tests/support/provider/returning-shop.ts'

const { db, jobs, paid, check, close } = await startReturningShop()
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
  const { ask, becomes, bowl, read } = await withFreeBowl()
  const { priceCents } = (await read()).order

  await ask('Mug', 3, 'cancellation')
  await becomes('refunded')
  const paidBack = (await read()).order
  const { message } = await ask('Bowl', 1, 'cancellation')

  expect(paidBack).toMatchObject({ status: 'placed', paymentStatus: 'refunded', refundedCents: priceCents })
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
