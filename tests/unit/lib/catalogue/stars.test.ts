import { expect, test } from 'vitest'
import { fullAndHalfStars } from '#lib/catalogue/stars.ts'

test.each([
  [0, 0],
  [3.49, 3],
  [3.5, 3.5],
  [3.99, 3.5],
  [4, 4],
  [5, 5],
  [7, 5],
])('a rating of %d fills %d stars', (rating, stars) => {
  expect(fullAndHalfStars(rating)).toBe(stars)
})
