import { beforeEach, expect, test } from 'vitest'
import { $authToken, $customerToken, $safariAuth, forgetSession, saveSession } from '#stores/tokens.ts'

const kept = () => [$authToken, $customerToken, $safariAuth].map($each => $each.get())

beforeEach(forgetSession)

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

test('what is forgotten is forgotten under all three keys', () => {
  saveSession({ token: 't', isSafari: true, cookieFallback: true })

  forgetSession()

  expect(kept()).toEqual([undefined, undefined, undefined])
})
