import { setPersistentEngine } from '@nanostores/persistent'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#lib/api.ts'
import { client } from '#stores/client.ts'
import { $customer } from '#stores/accounts/session.ts'
import { register, signIn } from '#stores/accounts/sign-in.ts'
import { $customerToken, forgetSession } from '#stores/accounts/tokens.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { stubStorage } from '#tests/support/browser/tab-storage.ts'
import { session, unsignedToken } from '#tests/support/accounts/tokens.ts'

const ADA = { id: 'ada', name: 'Ada Lovelace', email: 'ada@piazza.example' }
const FORM = { ...ADA, password: 'Piazza-2025!' }
const refused = new ApiError(422, 'Wrong email or password')

const ignore = () => undefined

beforeEach(() => {
  const kept: Record<string, string> = {}
  vi.stubGlobal('localStorage', { setItem: (key: string, value: string) => void (kept[key] = value) })
  setPersistentEngine(kept, { addEventListener: ignore, removeEventListener: ignore })
  client.api = fakeApi({})
  forgetSession()
})
afterEach(() => vi.unstubAllGlobals())

test('signing in keeps the session and returns the server’s message', async () => {
  const token = unsignedToken(ADA)
  client.api = fakeApi({ login: async () => ({ ...session(token), message: 'Login success' }) })

  expect(await signIn(FORM)).toBe('Login success')
  expect($customer.get()).toEqual(ADA)
  expect($customerToken.get()).toBe(token)
})

test('registering keeps the session, too', async () => {
  client.api = fakeApi({ register: async () => ({ ...session(unsignedToken(ADA)), message: 'Register success' }) })

  expect(await register(FORM)).toBe('Register success')
  expect($customer.get()).toEqual(ADA)
})

test('signing in drops what another customer’s ended session has left to do', async () => {
  const storage = stubStorage('sessionStorage')
  storage.set('intent', JSON.stringify({ intent: {}, page: '/', top: 0, customerId: 'grace' }))
  client.api = fakeApi({ login: async () => ({ ...session(unsignedToken(ADA)), message: 'Login success' }) })

  await signIn(FORM)

  expect(storage.has('intent')).toBe(false)
})

test('signing in changes nothing when it is rejected', async () => {
  client.api = fakeApi({ login: () => Promise.reject(refused) })

  await expect(signIn(FORM)).rejects.toBe(refused)
  expect($customer.get()).toBeNull()
})

test('signing in says so when the browser’s storage is blocked or full', async () => {
  stubStorage('localStorage', { isForbidden: true })
  client.api = fakeApi({ login: async () => ({ ...session(unsignedToken(ADA)), message: 'Login success' }) })

  const failure = await signIn(FORM).catch((error: unknown) => error)

  expect(failure).toBeInstanceOf(ApiError)
  expect(failure).toMatchObject({ message: expect.stringContaining('cannot keep you logged in'), isSilent: false })
  expect($customer.get()).toBeNull()
})
