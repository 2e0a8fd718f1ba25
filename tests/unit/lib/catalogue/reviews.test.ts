import { expect, test } from 'vitest'
import { formatDate } from '#lib/catalogue/reviews.ts'

test('a date is formatted the same in every time zone of the server', () => {
  expect(formatDate('2025-03-04T23:30:00.000Z')).toBe('Mar 4, 2025')
})
