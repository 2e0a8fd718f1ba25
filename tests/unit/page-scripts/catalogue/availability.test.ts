import { afterEach, describe, expect, test, vi } from 'vitest'
import { MAX_STOCK } from '#contract/rules.ts'
import { fetchStock, availability, liveStock, onLiveStock, unitsOf } from '#page-scripts/catalogue/availability.ts'

describe('the availability that a product’s page shows', () => {
  test.each([
    [0, 'Out of Stock'],
    [3, 'In Stock(3)'],
    [MAX_STOCK - 1, 'In Stock(999999999)'],
    [MAX_STOCK, 'In Stock'],
  ])('of %i units is %s', (stock, text) => {
    expect(availability(stock)).toBe(text)
  })

  test('is that of the chosen variant, and none for a variant that is gone', () => {
    const live = { stock: 5, variants: [{ _id: 'small', stock: 2 }] }

    expect([unitsOf(live, 'small'), unitsOf(live, 'gone')]).toEqual([2, 0])
    expect(unitsOf({ stock: 5, variants: [] }, undefined)).toBe(5)
  })
})

describe('the stock just fetched', () => {
  afterEach(() => vi.unstubAllGlobals())

  /** A page with a buy box, whose availability is shown in the returned text, and a provider with these units. */
  function pageWith(stock: number): { nodeValue: string } {
    const text = { nodeValue: 'In Stock(5)' }
    const box = {
      dataset: { buyBox: 'kite' },
      querySelector: (selector: string) =>
        selector === '[data-availability]' ? { firstChild: text, dataset: {} } : null,
      querySelectorAll: () => [],
    }
    vi.stubGlobal('document', { querySelector: () => box })
    vi.stubGlobal('fetch', async () => Response.json({ stock }))
    return text
  }

  test('is shown in the page, but not while React compares the page with what it renders', async () => {
    const before = pageWith(4)
    await fetchStock()
    expect(before.nodeValue).toBe('In Stock(4)')

    expect(liveStock()?.stock).toBe(4)
    const during = pageWith(3)
    await fetchStock()
    expect(during.nodeValue).toBe('In Stock(5)')

    const told: number[] = []
    onLiveStock(({ stock }) => told.push(stock))
    expect(told).toEqual([3])
  })
})
