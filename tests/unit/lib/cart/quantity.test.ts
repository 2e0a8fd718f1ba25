import { describe, expect, test } from 'vitest'
import { oneLess, oneMore, withinStock } from '#lib/cart/quantity.ts'

describe('the quantity', () => {
  test('rises up to the stock and no further', () => {
    expect(oneMore(1, 3)).toBe(2)
    expect(oneMore(2, 3)).toBe(3)
    expect(oneMore(3, 3)).toBeNull()
    expect(oneMore(1, 0)).toBeNull()
  })

  test('falls to 1 and no further', () => {
    expect(oneLess(3)).toBe(2)
    expect(oneLess(1)).toBe(1)
  })

  test('follows a stock that fell, and stays 1 when nothing is left', () => {
    expect(withinStock(5, 3)).toBe(3)
    expect(withinStock(2, 3)).toBe(2)
    expect(withinStock(2, 0)).toBe(1)
  })
})
