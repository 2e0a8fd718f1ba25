import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followChanges, keepFresh, notifyOtherTabs } from '#stores/cross-tab-sync.ts'
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

test('followChanges reloads on another tab’s change, on focus, on Back and when online, and on nothing else', () => {
  const stop = followChanges('cart', load)

  page.announce('cart')
  page.show(true)
  page.look(true)
  page.goOnline()
  expect(load).toHaveBeenCalledTimes(4)

  page.announce('wishlist')
  page.show(false)
  page.look(false)
  stop()
  page.announce('cart')
  page.show(true)
  page.look(true)
  page.goOnline()
  expect(load).toHaveBeenCalledTimes(4)
})

test('keepFresh reloads every half minute while the page is visible', () => {
  vi.useFakeTimers()
  const stop = keepFresh('cart', load)

  vi.advanceTimersByTime(2 * HALF_MINUTE)
  expect(load).toHaveBeenCalledTimes(2)
  page.look(false)
  vi.advanceTimersByTime(2 * HALF_MINUTE)
  expect(load).toHaveBeenCalledTimes(2)
  page.announce('cart')
  expect(load).toHaveBeenCalledTimes(3)

  stop()
  page.look(true)
  page.announce('cart')
  vi.advanceTimersByTime(2 * HALF_MINUTE)
  expect(load).toHaveBeenCalledTimes(3)
})

test('a change that is announced twice reaches other tabs twice', () => {
  const storage = stubStorage('localStorage')
  notifyOtherTabs('cart')
  const first = storage.get('cartChanged')
  notifyOtherTabs('cart')

  expect(first).toBeTruthy()
  expect(storage.get('cartChanged')).not.toBe(first)
})

test('announcing a change without storage does not throw', () => {
  stubStorage('localStorage', { isForbidden: true })

  expect(() => notifyOtherTabs('cart')).not.toThrow()
})
