import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { refundPreview } from '#lib/returns/returns.ts'
import { refundOrder } from '#server/orders/cancelling.ts'
import { refundPart } from '#server/payments/part-refunds.ts'
import { payRefunds } from '#server/payments/refund-paying.ts'
import { moveReturn } from '#server/returns/moving.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { lettersSent } from '#tests/support/provider/letters.ts'
import { SHIPPING_CENTS } from '#tests/support/provider/ordering.ts'
import { BOWL_CENTS, MUG_CENTS, startReturningShop } from '#tests/support/provider/returning-shop.ts'

const { db, jobs, letters, paymentContext, paid, check, close } = await startReturningShop()
afterAll(close)
afterEach(check)

/** The texts of the mails to a customer about refunds, oldest first. */
async function refundMails({ email }: { email: string }) {
  await lettersSent(db)
  return letters
    .filter(({ to, subject }) => to === email && subject.startsWith('We have refunded your payment'))
    .map(({ text }) => text)
}

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

test('the customer reads before a request how much comes back at most after the operator has refunded a part', async () => {
  const { ask, becomes, deliver, latest, list, orderId, read } = await paid()
  await deliver()
  const { priceCents } = (await read()).order
  const promised = async () => {
    const part = (await list()).available.find(({ lines }) => lines[0]?.name === 'Mug')!
    return refundPreview(part, Object.fromEntries(part.lines.map(({ lineId }) => [lineId, 3])))
  }
  expect(await promised()).toBe('You get $64.97 back, including $5.00 for shipping.')
  await refundPart(db, jobs, orderId, priceCents - 1000)

  expect(await promised()).toBe('You get $10.00 back. The rest of this order has been refunded already.')

  const { returnId } = await ask('Mug', 3, 'return')
  for (const event of ['approve', 'receive'] as const) await moveReturn(db, jobs, returnId, { event })
  await becomes('refunded')
  expect((await latest()).refundCents).toBe(1000)
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

describe('the mail about a refund', () => {
  test('names what was sent back or cancelled, and nothing else of the order', async () => {
    const { ada, ask, deliver, refunded } = await paid()
    await ask('Mug', 1, 'cancellation')
    await refunded(MUG_CENTS)
    const [first] = await refundMails(ada)
    expect(first).toContain('We have refunded $19.99 for this order.')
    expect(first).toContain('1 × Mug: $19.99\nShipping: $0.00\nShop total: $19.99\n\nSee your order')
    expect(first).not.toContain('Bowl')

    await deliver()
    const { returnId } = await ask('Mug', 2, 'return')
    for (const event of ['approve', 'receive'] as const) await moveReturn(db, jobs, returnId, { event })
    await refunded(3 * MUG_CENTS + SHIPPING_CENTS)
    const last = (await refundMails(ada)).at(-1)
    expect(last).toContain('2 × Mug: $39.98\nShipping: $5.00\nShop total: $44.98\n\nSee your order')
    expect(last).not.toContain('Bowl')
  })

  test('names no sums if less was left of the payment than they add up to', async () => {
    const { ada, ask, deliver, orderId, read, refunded } = await paid()
    await deliver()
    const { priceCents } = (await read()).order
    const leftCents = 3 * MUG_CENTS + 200
    await refundPart(db, jobs, orderId, priceCents - leftCents)
    await refunded(priceCents - leftCents)
    const { returnId } = await ask('Mug', 3, 'return')
    for (const event of ['approve', 'receive'] as const) await moveReturn(db, jobs, returnId, { event })
    await refunded(priceCents)

    const last = (await refundMails(ada)).at(-1)
    expect(last).toContain('We have refunded $61.97 for this order.')
    expect(last).toContain('3 × Mug: $59.97\n\nSee your order')
  })

  test('names no products if the marketplace has refunded an amount, or the rest of the order', async () => {
    const { ada, orderId, refunded } = await paid()
    await refundPart(db, jobs, orderId, 1000)
    await refunded(1000)
    await refundOrder(db, jobs, orderId)
    await payRefunds(paymentContext)
    await vi.waitFor(async () => expect(await refundMails(ada)).toHaveLength(2), PATIENCE)

    for (const letter of await refundMails(ada)) {
      expect(letter).toMatch(/We have refunded \$[\d.]+ for this order\.\n\nSee your order/)
      expect(letter).not.toContain('Total')
    }
  })

  test('lists the whole order if all of it was refunded', async () => {
    const { ada, orderId, read } = await paid()
    await refundOrder(db, jobs, orderId)
    await payRefunds(paymentContext)
    await vi.waitFor(async () => expect((await read()).order.paymentStatus).toBe('refunded'), PATIENCE)

    const [letter] = await refundMails(ada)
    expect(letter).toContain('3 × Mug')
    expect(letter).toContain('1 × Bowl')
    expect(letter).toContain('Total: $77.52')
  })
})
