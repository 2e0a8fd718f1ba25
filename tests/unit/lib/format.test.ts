import { describe, expect, test } from 'vitest'
import { formatCount, formatDiscount, formatPrice, plainText, truncate } from '#lib/format.ts'

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

  test('show a discount with at most one decimal', () => {
    expect(formatDiscount(10)).toBe('-10%')
    expect(formatDiscount(12.4567)).toBe('-12.5%')
  })
})

describe('counts', () => {
  test('use the singular for one', () => {
    expect(formatCount(1, 'product', 'products')).toBe('1 product')
    expect(formatCount(0, 'product', 'products')).toBe('0 products')
    expect(formatCount(1204, 'product', 'products')).toBe('1,204 products')
  })
})

describe('truncating', () => {
  test('leaves a text of the maximum length unchanged', () => {
    expect(truncate('a'.repeat(40), 40)).toBe('a'.repeat(40))
  })

  test('cuts a longer text and appends dots', () => {
    expect(truncate(`${'a'.repeat(40)}b`, 40)).toBe(`${'a'.repeat(40)}...`)
  })

  test('counts a grapheme as one character', () => {
    expect(truncate('👩‍👩‍👧é👍🏽x', 3)).toBe('👩‍👩‍👧é👍🏽...')
  })

  test('removes the space before the dots', () => {
    expect(truncate('two words', 4)).toBe('two...')
  })
})

describe('the text of HTML', () => {
  test('loses its tags and keeps its spaces', () => {
    expect(plainText('<p>One</p><p>two&nbsp;&amp; <b>three</b></p>')).toBe('One two & three')
  })

  test('is found in linear time when no tag is closed', () => {
    // A backtracking pattern would take minutes here.
    expect(plainText('<'.repeat(500_000))).toHaveLength(500_000)
  })

  test('may contain escaped tags', () => {
    expect(plainText('&lt;b&gt; makes bold')).toBe('<b> makes bold')
  })
})
