import { expect, test } from 'vitest'
import { pageTags, productTag } from '#lib/cache-tags.ts'

test('pageTags adds the categories, and names each tag once', () => {
  expect(pageTags('home', productTag({ _id: 'p1' }), 'home')).toEqual(['categories', 'home', 'product:p1'])
})
