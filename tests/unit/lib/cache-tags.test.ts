import { expect, test } from 'vitest'
import { pageTags, productTag } from '#lib/cache-tags.ts'

test('every page is purged with the categories in its header, and each tag is named once', () => {
  expect(pageTags('home', productTag({ _id: 'p1' }), 'home')).toEqual(['categories', 'home', 'product:p1'])
})
