import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepDraft, readDraft } from '#lib/accounts/drafts.ts'
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

test('a session is kept as the customer token', () => {
  saveSession({ token: 't', isSafari: false, cookieFallback: false })

  expect(kept()).toEqual([undefined, 't', undefined])
})

test('with both flags it is kept for the cookie fallback too', () => {
  saveSession({ token: 't', isSafari: true, cookieFallback: true })

  expect(kept()).toEqual(['t', 't', 'true'])
})

test.each([
  { isSafari: true, cookieFallback: false },
  { isSafari: false, cookieFallback: true },
])('with %j alone it is not, and an older one does not outlive it', flags => {
  saveSession({ token: 'old', isSafari: true, cookieFallback: true })

  saveSession({ token: 't', ...flags })

  expect(kept()).toEqual([undefined, 't', undefined])
})

test.each([endSession, forgetSession])('%o forgets a session under all three keys', end => {
  saveSession({ token: 't', isSafari: true, cookieFallback: true })

  end()

  expect(kept()).toEqual([undefined, undefined, undefined])
})

test('what was typed outlives the session, not the customer who logs out', () => {
  keepDraft('account', 'ada', { country: 'Kenya' })

  endSession()
  expect(readDraft('account', 'ada')).toEqual({ country: 'Kenya' })

  forgetSession()
  expect(readDraft('account', 'ada')).toBeNull()
})
