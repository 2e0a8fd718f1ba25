import { expect, test } from 'vitest'
import { DEFAULT_PRICE_RANGE } from '#contract/rules.ts'
import { dollarsOf, shownAmount, sliderEnds } from '#lib/catalogue/price-range.ts'

test('the slider ends at whole dollars around all prices', () => {
  expect(sliderEnds({ low: 4.5, high: 99.01 })).toEqual({ low: 4, high: 100 })
  expect(sliderEnds(DEFAULT_PRICE_RANGE)).toEqual({ low: 0, high: 100 })
})

test('the slider ends one above its start when all prices are the same', () => {
  expect(sliderEnds({ low: 20, high: 20 })).toEqual({ low: 20, high: 21 })
  expect(sliderEnds({ low: 0, high: 0 })).toEqual({ low: 0, high: 1 })
})

test('an amount in another currency survives the conversion to dollars and back', () => {
  for (const [amount, rate] of [
    [100_000, 1500],
    [4501, 150],
    [45, 0.9],
    [1, 130],
  ] as const) {
    expect(shownAmount(dollarsOf(String(amount), rate), rate)).toBe(String(amount))
  }
})

test('dollar amounts are shown and sent unchanged', () => {
  expect(shownAmount('49.5', 1)).toBe('49.5')
  expect(dollarsOf('49.5', 1)).toBe('49.5')
  expect([shownAmount('', 0.9), dollarsOf('', 0.9)]).toEqual(['', ''])
})
