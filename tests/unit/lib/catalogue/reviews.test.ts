import { expect, test } from 'vitest'
import { formatDate, readReviewPage } from '#lib/catalogue/reviews.ts'

test('an address asks for a page of reviews, the first one unless it says another', () => {
  expect(readReviewPage(new URLSearchParams(''))).toBe(1)
  expect(readReviewPage(new URLSearchParams('reviews='))).toBe(1)
  expect(readReviewPage(new URLSearchParams('reviews=3'))).toBe(3)
})

test.each(['reviews=0', 'reviews=-1', 'reviews=two', 'reviews=1.5', 'reviews=1&reviews=2', 'reviews=%00'])(
  '%s is no page of reviews',
  query => expect(readReviewPage(new URLSearchParams(query))).toBeNull(),
)

test('a date reads the same wherever the server stands', () => {
  expect(formatDate('2025-03-04T23:30:00.000Z')).toBe('Mar 4, 2025')
})
