import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { storeDraft, readDraft } from '#lib/accounts/drafts.ts'
import {
  $authToken,
  $customerToken,
  $safariAuth,
  endSession,
  forgetSession,
  saveSession,
} from '#stores/accounts/tokens.ts'
import { stubStorage } from '#tests/support/browser/tab-storage.ts'

const kept = () => [$authToken, $customerToken, $safariAuth].map($each => $each.get())

beforeEach(() => {
  stubStorage('sessionStorage')
  forgetSession()
})
afterEach(() => vi.unstubAllGlobals())

test('saveSession stores the session as the customer token', () => {
  saveSession({ token: 't', isSafari: false, cookieFallback: false })

  expect(kept()).toEqual([undefined, 't', undefined])
})

test('saveSession also stores it under authToken with both cookie-fallback flags', () => {
  saveSession({ token: 't', isSafari: true, cookieFallback: true })

  expect(kept()).toEqual(['t', 't', 'true'])
})

test.each([
  { isSafari: true, cookieFallback: false },
  { isSafari: false, cookieFallback: true },
])('saveSession with %j alone stores only the customer token, and clears an older authToken', flags => {
  saveSession({ token: 'old', isSafari: true, cookieFallback: true })

  saveSession({ token: 't', ...flags })

  expect(kept()).toEqual([undefined, 't', undefined])
})

test.each([endSession, forgetSession])('%o clears the session under all three keys', end => {
  saveSession({ token: 't', isSafari: true, cookieFallback: true })

  end()

  expect(kept()).toEqual([undefined, undefined, undefined])
})

test('a draft survives the end of the session, but not a logout', () => {
  storeDraft('account', 'ada', { country: 'Kenya' })

  endSession()
  expect(readDraft('account', 'ada')).toEqual({ country: 'Kenya' })

  forgetSession()
  expect(readDraft('account', 'ada')).toBeNull()
})
