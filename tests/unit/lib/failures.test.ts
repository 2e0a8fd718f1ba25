import { expect, test } from 'vitest'
import { failureText } from '#lib/failures.ts'

test.each([
  ['/stores', 'Failed to fetch sellers'],
  ['/stores/[name]/[id]', 'Failed to fetch products by seller'],
  ['/product/details/[slug]', 'Failed to fetch product'],
  ['/products', 'Failed to fetch product'],
  ['/', 'Failed to fetch featured sellers'],
])('without a provider, %s shows "%s"', (pattern, text) => {
  expect(failureText(pattern)).toBe(text)
})
