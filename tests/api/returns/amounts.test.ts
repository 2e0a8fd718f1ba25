import { afterAll, afterEach, expect, test } from 'vitest'
import { refundPart } from '#server/payments/part-refunds.ts'
import { moveReturn } from '#server/returns/moving.ts'
import { SHIPPING_CENTS } from '#tests/support/provider/ordering.ts'
import { BOWL_CENTS, startReturningShop } from '#tests/support/provider/returning-shop.ts'

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
