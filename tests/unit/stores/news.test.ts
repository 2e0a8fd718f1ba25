import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followChanges, tellOtherTabs } from '#stores/news.ts'
import { stubStorage } from '#tests/support/tab-storage.ts'

let page: EventTarget
let shown: EventTarget & { visibilityState?: string }
const load = vi.fn<() => void>()
const event = (type: string, rest: object) => Object.assign(new Event(type), rest)

beforeEach(() => {
  load.mockClear()
  page = new EventTarget()
  shown = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('document', shown)
})
afterEach(() => vi.unstubAllGlobals())

test('another tab’s news, a second look, Back and the network ask again; nothing else does', () => {
  const stop = followChanges('cart', load)

  page.dispatchEvent(event('storage', { key: 'cartChanged' }))
  page.dispatchEvent(event('pageshow', { persisted: true }))
  shown.visibilityState = 'visible'
  shown.dispatchEvent(new Event('visibilitychange'))
  page.dispatchEvent(new Event('online'))
  expect(load).toHaveBeenCalledTimes(4)

  page.dispatchEvent(event('storage', { key: 'wishlistChanged' }))
  page.dispatchEvent(event('pageshow', { persisted: false }))
  shown.visibilityState = 'hidden'
  shown.dispatchEvent(new Event('visibilitychange'))
  stop()
  page.dispatchEvent(event('storage', { key: 'cartChanged' }))
  expect(load).toHaveBeenCalledTimes(4)
})

test('telling the same twice is heard twice', () => {
  const kept = stubStorage('localStorage')
  tellOtherTabs('cart')
  const first = kept.get('cartChanged')
  tellOtherTabs('cart')

  expect(first).toBeTruthy()
  expect(kept.get('cartChanged')).not.toBe(first)
})

test('a browser that keeps nothing tells nobody, and goes on', () => {
  stubStorage('localStorage', { isForbidden: true })

  expect(() => tellOtherTabs('cart')).not.toThrow()
})
