import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addViewed, clearViewed, removeViewed, viewedProducts } from '#lib/catalogue/recently-viewed.ts'
import { stubStorage } from '#tests/support/browser/tab-storage.ts'

const product = (id: string, slug = `slug-${id}`) => ({ id, slug, name: id, image: '' })
const ids = (openId?: string) => viewedProducts(openId).map(({ id }) => id)

beforeEach(() => void stubStorage('localStorage'))
afterEach(() => vi.unstubAllGlobals())

test('the last products are kept, newest first, without the open one', () => {
  for (let at = 1; at <= 15; at += 1) addViewed(product(`p${at}`))
  addViewed(product('p12', 'new-slug'))

  expect(ids()).toEqual([12, 15, 14, 13, 11, 10, 9, 8, 7, 6, 5, 4].map(at => `p${at}`))
  expect(viewedProducts()[0]?.slug).toBe('new-slug')
  expect(ids('p12')).not.toContain('p12')
})

test('they can be cleared; one that is gone is removed', () => {
  for (const id of ['kettle', 'lamp']) addViewed(product(id))
  removeViewed('slug-kettle')
  expect(ids()).toEqual(['lamp'])

  clearViewed()
  expect(ids()).toEqual([])
})

test('what others have written there is ignored', () => {
  const entries = [null, 'kettle', { id: 'kettle' }, { id: 1, slug: '', name: '', image: '' }, product('lamp')]
  localStorage.setItem('recentlyViewed', JSON.stringify({ customerId: '', entries }))
  expect(ids()).toEqual(['lamp'])

  localStorage.setItem('recentlyViewed', '{')
  expect(ids()).toEqual([])
})

test('forbidden storage remembers nothing and breaks nothing', () => {
  stubStorage('localStorage', { isForbidden: true })

  addViewed(product('kettle'))
  expect(ids()).toEqual([])
})
