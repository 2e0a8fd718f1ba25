import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '#lib/api.ts'
import type { Intent } from '#lib/accounts/intent.ts'
import { client } from '#stores/client.ts'
import { $customer, leadToLogin, signOut } from '#stores/accounts/session.ts'
import { $authToken, $customerToken, forgetSession } from '#stores/accounts/tokens.ts'
import { $toasts } from '#stores/ui/toasts.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { stubStorage } from '#tests/support/browser/tab-storage.ts'
import { unsignedToken } from '#tests/support/accounts/tokens.ts'

const ADA = { id: 'ada', name: 'Ada Lovelace', email: 'ada@piazza.example' }
const refused = new ApiError(422, 'Wrong email or password')

beforeEach(() => {
  client.api = fakeApi({})
  forgetSession()
})

describe('the customer', () => {
  test('is null without a token', () => {
    expect($customer.get()).toBeNull()
  })

  test('is read from the token, authToken before customerToken', () => {
    $customerToken.set(unsignedToken({ id: 'second' }))
    expect($customer.get()?.id).toBe('second')

    $authToken.set(unsignedToken({ id: 'first' }))
    expect($customer.get()?.id).toBe('first')
  })

  test('does not change when only the token changes', () => {
    const listener = vi.fn<() => void>()
    $customerToken.set(unsignedToken(ADA))
    const stop = $customer.listen(listener)

    $customerToken.set(unsignedToken(ADA))
    expect(listener).not.toHaveBeenCalled()
    $customerToken.set(unsignedToken({ ...ADA, name: 'Ada King' }))
    expect(listener).toHaveBeenCalledOnce()
    stop()
  })
})

describe('signing out', () => {
  beforeEach(() => $customerToken.set(unsignedToken(ADA)))

  test('ends the session on the server first', async () => {
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

  test.each([409, 503])('clears the session even when the server returns %i, and only logs the error', async status => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const refusal = new ApiError(status, 'No')
    client.api = fakeApi({ logout: () => Promise.reject(refusal) })

    await signOut()

    expect($customer.get()).toBeNull()
    expect($toasts.get()).toEqual([])
    expect(log).toHaveBeenCalledWith(expect.any(String), refusal)
    log.mockRestore()
  })
})

describe('leadToLogin', () => {
  const ended = new ApiError(409, 'Please login first', { code: 'INVALID_TOKEN' })
  const click: Intent = { kind: 'addToWishlist', productId: 'kite' }
  const assign = vi.fn<(path: string) => void>()
  let storage: Map<string, string>

  beforeEach(() => {
    storage = stubStorage('sessionStorage')
    assign.mockReset()
    vi.stubGlobal('location', { pathname: '/products', search: '?category=Toys', hash: '', assign })
    vi.stubGlobal('scrollY', 640)
  })
  afterEach(() => vi.unstubAllGlobals())

  test('for an ended session: keeps the customer’s click and the page, and shows the reason at the login', () => {
    $customerToken.set(unsignedToken(ADA))
    $customer.get()
    $customerToken.set(undefined)

    expect(leadToLogin(ended, click)).toBe(true)

    expect(assign).toHaveBeenCalledWith('/login?next=%2Fproducts%3Fcategory%3DToys')
    expect(JSON.parse(storage.get('intent') ?? '')).toEqual({
      intent: click,
      page: '/products?category=Toys',
      top: 640,
      customerId: 'ada',
    })
    expect(JSON.parse(storage.get('flash') ?? '')).toEqual({ kind: 'error', text: 'Please login first' })
  })

  test.each([
    ['another one', null, refused],
    ['one that another customer’s session has outlived', unsignedToken(ADA), ended],
  ])('leaves the error to the caller when it is %s', (_, token, error) => {
    $customerToken.set(token ?? undefined)

    expect(leadToLogin(error, click)).toBe(false)
    expect(assign).not.toHaveBeenCalled()
    expect([...storage]).toEqual([])
  })
})
