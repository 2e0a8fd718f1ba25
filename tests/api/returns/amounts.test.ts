import { afterAll, afterEach, expect, test } from 'vitest'
import { refundPart } from '#server/payments/part-refunds.ts'
import { moveReturn } from '#server/returns/moving.ts'
import { SHIPPING_CENTS } from '#tests/support/provider/ordering.ts'
import { BOWL_CENTS, MUG_CENTS, startReturningShop } from '#tests/support/provider/returning-shop.ts'

const { db, jobs, paid, check, close } = await startReturningShop()
afterAll(close)
afterEach(check)

test('a return says what was refunded for it: less than its price if the operator has refunded a part before', async () => {
  const { ask, becomes, deliver, latest, orderId, read } = await paid()
  await deliver()
  await refundPart(db, jobs, orderId, 1000)
  for (const [name, quantity] of [
    ['Mug', 3],
    ['Bowl', 1],
  ] as const) {
    const { returnId } = await ask(name, quantity, 'return')
    for (const event of ['approve', 'receive'] as const) await moveReturn(db, jobs, returnId, { event })
    await becomes('refunded')
  }

  const { priceCents, refundedCents } = (await read()).order
  expect(refundedCents).toBe(priceCents)
  expect((await latest()).refundCents).toBe(BOWL_CENTS + SHIPPING_CENTS - 1000)
})

test('the customer reads before a request which shipping is refunded with the last units of a shop', async () => {
  const { ask, becomes, deliver, list, refunded } = await paid()
  const shippingOf = async (name: string) =>
    (await list()).available.find(({ lines }) => lines[0]?.name === name)?.shippingCents
  expect(await shippingOf('Mug')).toBe(SHIPPING_CENTS)
  await deliver()
  expect(await shippingOf('Mug')).toBe(SHIPPING_CENTS)

  // The two others may be the last instead.
  const { returnId } = await ask('Mug', 1, 'return')
  expect(await shippingOf('Mug')).toBeUndefined()

  for (const event of ['approve', 'receive'] as const) await moveReturn(db, jobs, returnId, { event })
  await becomes('refunded')
  expect(await shippingOf('Mug')).toBe(SHIPPING_CENTS)
  const rest = await ask('Mug', 2, 'return')
  for (const event of ['approve', 'receive'] as const) await moveReturn(db, jobs, rest.returnId, { event })
  await refunded(3 * MUG_CENTS + SHIPPING_CENTS)
})
