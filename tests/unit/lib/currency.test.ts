import { afterEach, describe, expect, test, vi } from 'vitest'
import { convertWhileParsing } from '#page-scripts/early/prices.ts'
import { CURRENCY_KEY, shownCurrency, readCurrency, showPrices, VISITOR_CURRENCY_KEY } from '#lib/currency.ts'
import { AUTH_TOKEN, CUSTOMER_TOKEN } from '#lib/accounts/storage.ts'

afterEach(() => vi.unstubAllGlobals())

const STORED = { currency: 'EUR', rate: 0.9, customerId: 'ada', asOf: 5 }

function stubPage(stored: Record<string, string>, ...cents: number[]) {
  const prices = cents.map(each => ({ dataset: { usd: String(each) }, textContent: `$${each / 100}` }))
  vi.stubGlobal('localStorage', { getItem: (key: string) => stored[key] ?? null })
  vi.stubGlobal('document', { documentElement: { dataset: {} }, querySelectorAll: () => prices })
  vi.stubGlobal('dispatchEvent', vi.fn())
  return prices
}

describe('the stored currency', () => {
  test('round-trips', () => {
    expect(readCurrency(JSON.stringify(STORED))).toEqual(STORED)
  })

  test.each(['', 'nonsense', 'null', '[]', '{"currency":"EUR"}', '{"currency":"EUR","rate":-1}'])(
    '%j is invalid',
    text => {
      expect(readCurrency(text)).toBeUndefined()
    },
  )

  test('is unknown where the browser stores nothing', () => {
    vi.stubGlobal('localStorage', undefined)

    expect(readCurrency()).toBeUndefined()
    expect(shownCurrency()).toEqual({ currency: 'USD', rate: 1 })
  })

  test('of a customer applies to customers only, that of visitors to visitors', () => {
    stubPage({ [CURRENCY_KEY]: JSON.stringify(STORED) })
    expect(shownCurrency()).toEqual({ currency: 'USD', rate: 1 })

    const stored = { [CURRENCY_KEY]: JSON.stringify(STORED), [VISITOR_CURRENCY_KEY]: '{"currency":"KES","rate":129}' }
    stubPage(stored)
    expect(shownCurrency()).toMatchObject({ currency: 'KES', rate: 129 })
    stubPage({ ...stored, [CUSTOMER_TOKEN]: 'a.b.c' })
    expect(shownCurrency()).toMatchObject({ currency: 'EUR', rate: 0.9 })

    stubPage({ [CURRENCY_KEY]: JSON.stringify(STORED), [CUSTOMER_TOKEN]: 'a.b.c' })
    expect(shownCurrency()).toMatchObject({ currency: 'EUR', rate: 0.9 })
  })
})

describe('prices on a page', () => {
  test('are shown in another currency, and in dollars again', () => {
    const prices = stubPage({}, 1899, 129_900)

    showPrices({ currency: 'EUR', rate: 0.9 })
    expect(prices.map(({ textContent }) => textContent)).toEqual(['€17', '€1,169'])

    showPrices({ currency: 'USD', rate: 1 })
    expect(prices.map(({ textContent }) => textContent)).toEqual(['$19', '$1,299'])
  })

  describe('while the page loads', () => {
    function arrive(stored: Record<string, string>) {
      const prices = stubPage(stored, 1899)
      let changed = () => undefined as void
      vi.stubGlobal(
        'MutationObserver',
        class {
          constructor(callback: () => void) {
            changed = callback
          }
          observe() {}
        },
      )
      vi.stubGlobal('addEventListener', vi.fn())
      convertWhileParsing()
      changed()
      return prices[0]?.textContent
    }

    test.each([AUTH_TOKEN, CUSTOMER_TOKEN])('are in the customer’s currency with the token %s', token => {
      expect(arrive({ [CURRENCY_KEY]: JSON.stringify(STORED), [token]: 'a.b.c' })).toBe('€17')
    })

    test('are in the visitor’s currency', () => {
      expect(arrive({ [VISITOR_CURRENCY_KEY]: JSON.stringify(STORED) })).toBe('€17')
      expect(arrive({ [VISITOR_CURRENCY_KEY]: '{"currency":"USD","rate":1}' })).toBe('$18.99')
    })

    test('stay in dollars for other visitors and for invalid values', () => {
      expect(arrive({ [CURRENCY_KEY]: JSON.stringify(STORED) })).toBe('$18.99')
      expect(arrive({ [CURRENCY_KEY]: 'nonsense', [CUSTOMER_TOKEN]: 'a.b.c' })).toBe('$18.99')
      expect(arrive({ [CUSTOMER_TOKEN]: 'a.b.c' })).toBe('$18.99')
    })
  })
})
