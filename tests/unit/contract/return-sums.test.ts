import { describe, expect, test } from 'vitest'
import { refundOf } from '#contract/returns.ts'

const SHIPPING = 800
const lines = [
  { id: 'mug', quantity: 3, unitCents: 1250 },
  { id: 'bowl', quantity: 1, unitCents: 2099 },
]
function refundFor(units: Record<string, number>, refunded?: Record<string, number>, shippingCents = SHIPPING): number {
  const options = { shippingCents, ...(refunded && { refunded: new Map(Object.entries(refunded)) }) }
  const refund = refundOf(lines, new Map(Object.entries(units)), options)
  return refund.itemsCents + refund.shippingCents
}

describe('the refund of a part', () => {
  test('is the price paid for each returned unit', () => {
    expect(refundFor({ mug: 2 })).toBe(2500)
    expect(refundFor({ mug: 2, bowl: 1 })).toBe(4599)
  })

  test('includes its shipping only when nothing of it is left', () => {
    expect(refundFor({ mug: 3 })).toBe(3750)
    expect(refundFor({ mug: 3, bowl: 1 })).toBe(6649)
  })

  test('includes its shipping with the last unit, if the others were refunded before', () => {
    expect(refundFor({ mug: 1 }, { mug: 1, bowl: 1 })).toBe(1250)
    expect(refundFor({ mug: 1 }, { mug: 2, bowl: 1 })).toBe(2050)
    expect(refundFor({ bowl: 1 }, { mug: 3 })).toBe(2899)
  })

  test('does not include its shipping if the shop keeps it', () => {
    expect(refundFor({ mug: 3, bowl: 1 }, {}, 0)).toBe(5849)
  })
})
