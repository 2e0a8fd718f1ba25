import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { logout, refreshToken } from '#contract/session.ts'
import { client } from '#stores/client.ts'
import { $customerToken, forgetSession } from '#stores/accounts/tokens.ts'
import { stubStorage } from '#tests/support/browser/tab-storage.ts'
import { session, unsignedToken } from '#tests/support/accounts/tokens.ts'

let storage: Map<string, string>

beforeEach(() => {
  storage = stubStorage('localStorage')
  forgetSession()
})
afterEach(() => vi.unstubAllGlobals())

test('the client sends the stored token, authToken before customerToken, and stores a refreshed one', async () => {
  const [old, renewed] = [unsignedToken(), unsignedToken()]
  storage.set('customerToken', unsignedToken()).set('authToken', old)
  const asked: string[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    asked.push(`${new URL(request.url).pathname} ${request.headers.get('authorization')}`)
    if (request.url.endsWith('/refresh-token')) {
      storage.delete('authToken')
      storage.set('customerToken', renewed)
      return Response.json(session(renewed))
    }
    const isExpired = request.headers.get('authorization') === `Bearer ${old}`
    return isExpired
      ? Response.json({ code: 'TOKEN_EXPIRED' }, { status: 409 })
      : Response.json({ message: 'Logout success' })
  })

  expect(await client.api.logout({})).toEqual({ message: 'Logout success' })
  expect(asked).toEqual([
    `/api${logout.path} Bearer ${old}`,
    `/api${refreshToken.path} Bearer ${old}`,
    `/api${logout.path} Bearer ${renewed}`,
  ])
  expect($customerToken.get()).toBe(renewed)
})
