import { expect, test } from 'vitest'
import { fullAndHalfStars, shownRating } from '#lib/catalogue/stars.ts'

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

test.each([
  [4.48, 4.4],
  [4.5, 4.5],
  [4.98, 4.9],
  [4.1, 4.1],
  [5, 5],
])('a rating of %d is shown as %d, which its stars and its filter agree with', (rating, shown) => {
  expect(shownRating(rating)).toBe(shown)
  expect(fullAndHalfStars(shown)).toBe(fullAndHalfStars(rating))
  expect(Math.floor(shown)).toBe(Math.floor(rating))
})
