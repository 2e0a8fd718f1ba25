import { expect, test } from 'vitest'
import { formatDate, readReviewPage } from '#lib/catalogue/reviews.ts'

test('readReviewPage returns the page in the address, by default the first', () => {
  expect(readReviewPage(new URLSearchParams(''))).toBe(1)
  expect(readReviewPage(new URLSearchParams('reviews='))).toBe(1)
  expect(readReviewPage(new URLSearchParams('reviews=3'))).toBe(3)
})

test.each(['reviews=0', 'reviews=-1', 'reviews=two', 'reviews=1.5', 'reviews=1&reviews=2', 'reviews=%00'])(
  '%s is not a valid page of reviews',
  query => expect(readReviewPage(new URLSearchParams(query))).toBeNull(),
)

test('a date is formatted the same in every time zone of the server', () => {
  expect(formatDate('2025-03-04T23:30:00.000Z')).toBe('Mar 4, 2025')
})
