import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '#lib/api.ts'
import { client } from '#stores/client.ts'
import { $customer, register, signIn, signOut } from '#stores/session.ts'
import { $authToken, $customerToken, forgetSession } from '#stores/tokens.ts'
import { fakeApi } from '#tests/support/fake-api.ts'
import { session, unsignedToken } from '#tests/support/tokens.ts'

const ADA = { id: 'ada', name: 'Ada Lovelace', email: 'ada@piazza.example' }
const refused = new ApiError(422, 'Wrong email or password')

beforeEach(() => {
  client.api = fakeApi({})
  forgetSession()
})

describe('the customer', () => {
  test('is nobody without a token', () => {
    expect($customer.get()).toBeNull()
  })

  test('is whoever the token names, authToken before customerToken', () => {
    $customerToken.set(unsignedToken({ id: 'second' }))
    expect($customer.get()?.id).toBe('second')

    $authToken.set(unsignedToken({ id: 'first' }))
    expect($customer.get()?.id).toBe('first')
  })

  test('does not change when only the token does', () => {
    const heard = vi.fn<() => void>()
    $customerToken.set(unsignedToken(ADA))
    const stop = $customer.listen(heard)

    $customerToken.set(unsignedToken(ADA))
    expect(heard).not.toHaveBeenCalled()
    $customerToken.set(unsignedToken({ ...ADA, name: 'Ada King' }))
    expect(heard).toHaveBeenCalledOnce()
    stop()
  })
})

describe('signing in', () => {
  test('keeps the session and answers what the provider says', async () => {
    const token = unsignedToken(ADA)
    client.api = fakeApi({ login: async () => ({ ...session(token), message: 'Login success' }) })

    expect(await signIn({ email: ADA.email, password: 'Piazza-2025!' })).toBe('Login success')
    expect($customer.get()).toEqual(ADA)
    expect($customerToken.get()).toBe(token)
  })

  test('registering does so too', async () => {
    client.api = fakeApi({ register: async () => ({ ...session(unsignedToken(ADA)), message: 'Register success' }) })

    expect(await register({ ...ADA, password: 'Piazza-2025!' })).toBe('Register success')
    expect($customer.get()).toEqual(ADA)
  })

  test('that is refused changes nothing', async () => {
    client.api = fakeApi({ login: () => Promise.reject(refused) })

    await expect(signIn({ email: ADA.email, password: 'wrong' })).rejects.toBe(refused)
    expect($customer.get()).toBeNull()
  })
})

describe('signing out', () => {
  beforeEach(() => $customerToken.set(unsignedToken(ADA)))

  test('ends the session at the provider first', async () => {
    let whoAsked: string | undefined
    client.api = fakeApi({
      logout: async () => {
        whoAsked = $customer.get()?.id
        return { message: 'Logout success' }
      },
    })

    await signOut()

    expect(whoAsked).toBe('ada')
    expect($customer.get()).toBeNull()
  })

  test.each([409, 503])('forgets it here even when the provider answers %i', async status => {
    client.api = fakeApi({ logout: () => Promise.reject(new ApiError(status, 'No')) })

    await signOut()

    expect($customer.get()).toBeNull()
  })
})
