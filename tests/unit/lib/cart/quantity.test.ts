import { describe, expect, test } from 'vitest'
import { oneLess, oneMore, withinStock } from '#lib/cart/quantity.ts'

describe('the quantity', () => {
  test('increases up to the stock', () => {
    expect(oneMore(1, 3)).toBe(2)
    expect(oneMore(2, 3)).toBe(3)
    expect(oneMore(3, 3)).toBeNull()
    expect(oneMore(1, 0)).toBeNull()
  })

  test('decreases down to 1', () => {
    expect(oneLess(3)).toBe(2)
    expect(oneLess(1)).toBe(1)
  })

  test('is limited by a lower stock, but stays at least 1', () => {
    expect(withinStock(5, 3)).toBe(3)
    expect(withinStock(2, 3)).toBe(2)
    expect(withinStock(2, 0)).toBe(1)
  })
})
