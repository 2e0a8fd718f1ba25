import { describe, expect, test } from 'vitest'
import { PAGER_NUMBERS } from '#lib/constants.ts'
import { pageNumbers } from '#lib/page-numbers.ts'

describe('the pager', () => {
  test('is empty when everything fits on one page', () => {
    expect(pageNumbers(1, 12, 0)).toEqual([])
    expect(pageNumbers(1, 12, 12)).toEqual([])
  })

  test('appears with one item more than a page holds', () => {
    expect(pageNumbers(1, 12, 13)).toEqual([1, 2])
  })

  test.each([
    [1, [1, 2, 3, 4, 5]],
    [3, [1, 2, 3, 4, 5]],
    [6, [4, 5, 6, 7, 8]],
    [10, [6, 7, 8, 9, 10]],
  ])('shows on page %i of 10: %j', (page, numbers) => {
    expect(pageNumbers(page, 12, 120)).toEqual(numbers)
    expect(numbers).toHaveLength(PAGER_NUMBERS)
  })

  test('shows the last pages when the page number is too high', () => {
    expect(pageNumbers(1_000_000_000, 12, 30)).toEqual([1, 2, 3])
  })
})
