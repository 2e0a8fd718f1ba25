import { describe, expect, test } from 'vitest'
import { formatCount, formatPrice } from '#lib/format.ts'

describe('prices', () => {
  test.each([
    [1899, '$19'],
    [1849, '$18'],
    [1850, '$19'],
    [0, '$0'],
    [129_900, '$1,299'],
  ])('%i cents are shown as %s', (cents, shown) => {
    expect(formatPrice(cents)).toBe(shown)
  })

  test('are converted before they are rounded', () => {
    expect(formatPrice(1899, { currency: 'EUR', rate: 0.9 })).toBe('€17')
    expect(formatPrice(1899, { currency: 'JPY', rate: 150 })).toBe('¥2,849')
  })
})

describe('counts', () => {
  test('use the singular for one', () => {
    expect(formatCount(1, 'product', 'products')).toBe('1 product')
    expect(formatCount(0, 'product', 'products')).toBe('0 products')
    expect(formatCount(1204, 'product', 'products')).toBe('1,204 products')
  })
})
