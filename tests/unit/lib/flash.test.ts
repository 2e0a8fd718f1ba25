import { afterEach, expect, test, vi } from 'vitest'
import { flash, hasFlash, takeFlash } from '#lib/flash.ts'
import { stubStorage } from '#tests/support/browser/tab-storage.ts'

afterEach(() => vi.unstubAllGlobals())

test('a message is shown once, on the next page', () => {
  stubStorage('sessionStorage')
  expect(hasFlash()).toBe(false)

  flash('error', 'Invalid or missing reset token')

  expect(hasFlash()).toBe(true)
  expect(takeFlash()).toEqual({ kind: 'error', text: 'Invalid or missing reset token' })
  expect(hasFlash()).toBe(false)
  expect(takeFlash()).toBeNull()
})

test('without storage, the message is lost and nothing throws', () => {
  stubStorage('sessionStorage', { isForbidden: true })

  flash('success', 'Login success')

  expect(hasFlash()).toBe(false)
  expect(takeFlash()).toBeNull()
})
