import { afterEach, expect, test, vi } from 'vitest'
import { type Api, ApiError } from '#lib/api.ts'
import { client } from '#stores/client.ts'
import { renewSession } from '#stores/accounts/renew-session.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { session, unsignedToken } from '#tests/support/accounts/tokens.ts'

afterEach(() => vi.useRealTimers())

test('a new name reaches the session although the first response is lost', async () => {
  vi.useFakeTimers()
  const token = unsignedToken()
  const refreshToken = vi
    .fn<Api['refreshToken']>()
    .mockResolvedValue(session(token))
    .mockRejectedValueOnce(new ApiError(503, 'The marketplace cannot be reached right now', { isSilent: true }))
  client.api = fakeApi({ refreshToken })
  const renewing = renewSession()

  await vi.runAllTimersAsync()

  await renewing
  expect($customerToken.get()).toBe(token)
})
