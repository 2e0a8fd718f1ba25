import { afterEach, expect, test, vi } from 'vitest'
import { flash, hasFlash, takeFlash } from '#lib/flash.ts'
import { stubStorage } from '#tests/support/browser/tab-storage.ts'

afterEach(() => vi.unstubAllGlobals())

test('a message waits for the next page and is shown once', () => {
  stubStorage('sessionStorage')
  expect(hasFlash()).toBe(false)

  flash('error', 'Invalid or missing reset token')

  expect(hasFlash()).toBe(true)
  expect(takeFlash()).toEqual({ kind: 'error', text: 'Invalid or missing reset token' })
  expect(hasFlash()).toBe(false)
  expect(takeFlash()).toBeNull()
})

test('a browser that keeps nothing loses the message and nothing else', () => {
  stubStorage('sessionStorage', { isForbidden: true })

  flash('success', 'Login success')

  expect(hasFlash()).toBe(false)
  expect(takeFlash()).toBeNull()
})
