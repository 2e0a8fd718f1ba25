import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followChanges, keepFresh, tellOtherTabs } from '#stores/cross-tab-sync.ts'
import { stubPage } from '#tests/support/browser/tab-page.ts'
import { stubStorage } from '#tests/support/browser/tab-storage.ts'

const HALF_MINUTE = 30_000

let page: ReturnType<typeof stubPage>
const load = vi.fn<() => void>()

beforeEach(() => {
  load.mockClear()
  page = stubPage()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('another tab’s news, a second look, Back and the network ask again; nothing else does', () => {
  const stop = followChanges('cart', load)

  page.hear('cart')
  page.show(true)
  page.look(true)
  page.goOnline()
  expect(load).toHaveBeenCalledTimes(4)

  page.hear('wishlist')
  page.show(false)
  page.look(false)
  stop()
  page.hear('cart')
  page.show(true)
  page.look(true)
  page.goOnline()
  expect(load).toHaveBeenCalledTimes(4)
})

test('what operators change is asked for every half minute, while somebody looks', () => {
  vi.useFakeTimers()
  const stop = keepFresh('cart', load)

  vi.advanceTimersByTime(2 * HALF_MINUTE)
  expect(load).toHaveBeenCalledTimes(2)
  page.look(false)
  vi.advanceTimersByTime(2 * HALF_MINUTE)
  expect(load).toHaveBeenCalledTimes(2)
  page.hear('cart')
  expect(load).toHaveBeenCalledTimes(3)

  stop()
  page.look(true)
  page.hear('cart')
  vi.advanceTimersByTime(2 * HALF_MINUTE)
  expect(load).toHaveBeenCalledTimes(3)
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
