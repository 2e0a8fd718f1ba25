import { describe, expect, test, vi } from 'vitest'
import { chargeStateOf, refundKey, refundUpTo, type Reversal } from '#server/payments/providers/refunds.ts'

const of = (amountCents: number, state: Reversal['state'] = 'refunded'): Reversal => ({ amountCents, state })
const REQUEST = { reference: 'a1', providerId: null, amountCents: 2499, refundedCents: 0, upToCents: 1000 }

/** What the shop requests from the provider, and what it takes the refund for. */
async function refund(known: Reversal[], change: Partial<typeof REQUEST> = {}, response = of(0)) {
  const request = vi.fn<(cents: number) => Promise<Reversal>>(() => Promise.resolve(response))
  const state = await refundUpTo({ ...REQUEST, ...change }, known, request)
  return [state, request.mock.calls.flat()]
}

describe('a refund', () => {
  test('is requested for what is missing of its sum', async () => {
    expect(await refund([])).toEqual(['refunded', [1000]])
    expect(await refund([of(300), of(200)])).toEqual(['refunded', [500]])
  })

  test('is not requested if nothing is missing', async () => {
    expect(await refund([of(1000)])).toEqual(['refunded', []])
    expect(await refund([of(2499)])).toEqual(['refunded', []])
  })

  test('counts what the shop knows, if the provider’s list lacks it', async () => {
    expect(await refund([], { refundedCents: 400 })).toEqual(['refunded', [600]])
    expect(await refund([of(500)], { refundedCents: 400 })).toEqual(['refunded', [500]])
  })

  test('is requested again after a failed one', async () => {
    expect(await refund([of(1000, 'failed')])).toEqual(['refunded', [1000]])
  })

  test('is not requested while the list lacks money that was refunded before, and has a failed refund', async () => {
    expect(await refund([of(700, 'failed')], { refundedCents: 700 })).toEqual(['pending', []])
    expect(await refund([of(700, 'failed'), of(400)], { refundedCents: 700 })).toEqual(['pending', []])
    expect(await refund([of(700, 'failed'), of(700)], { refundedCents: 700 })).toEqual(['refunded', [300]])
  })

  test('is pending until all of it has arrived', async () => {
    expect(await refund([], {}, of(1000, 'pending'))).toEqual(['pending', [1000]])
    expect(await refund([of(300, 'pending'), of(700)])).toEqual(['pending', []])
    expect(await refund([of(1000, 'disputed')])).toEqual(['pending', []])
    expect(await refund([of(300, 'disputed')])).toEqual(['pending', []])
  })

  test('has a key of its own for each sum and after each failure', () => {
    expect(refundKey(REQUEST, [])).toBe('refund-a1-1000-0')
    expect(refundKey(REQUEST, [of(1000, 'failed'), of(5), of(1000, 'failed')])).toBe('refund-a1-1000-2')
  })
})

describe('a charge', () => {
  const kept = { status: 'kept', returnedCents: 0, lostCents: 0, failedCents: 0 }

  test.each<[string, Reversal[], Reversal[], Partial<ReturnType<typeof chargeStateOf>>]>([
    ['without refunds is kept', [], [], {}],
    ['is kept if a cent is left', [of(2498)], [], { returnedCents: 2498 }],
    ['is returned if nothing is left', [of(2000), of(499)], [], { status: 'returned', returnedCents: 2499 }],
    [
      'is returned if the rest is on its way',
      [of(2000), of(499, 'pending')],
      [],
      { status: 'returned', returnedCents: 2000 },
    ],
    ['returns at most itself', [of(9999)], [], { status: 'returned', returnedCents: 2499 }],
    ['is kept after a failed refund', [of(2499, 'failed')], [], { failedCents: 2499 }],
    ['is disputed while the bank decides', [], [of(2499, 'disputed')], { status: 'disputed' }],
    ['is returned by a lost dispute', [], [of(2499)], { status: 'returned', returnedCents: 2499, lostCents: 2499 }],
    ['names what was lost in a dispute', [of(400)], [of(300)], { returnedCents: 700, lostCents: 300 }],
    ['is kept by a dispute that was won', [], [of(2499, 'failed')], {}],
    [
      'is returned, not disputed, once it is refunded',
      [of(2499)],
      [of(2499, 'disputed')],
      { status: 'returned', returnedCents: 2499 },
    ],
  ])('%s', (_, refunds, disputes, state) => {
    expect(chargeStateOf(2499, refunds, disputes)).toEqual({ ...kept, ...state })
  })

  test('without disputes needs only its refunds', () => {
    expect(chargeStateOf(2499, [of(1)])).toEqual({ ...kept, returnedCents: 1 })
  })
})
