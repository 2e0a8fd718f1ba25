import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Account } from '#contract/account.ts'
import type { Profile } from '#contract/profile.ts'
import { type Api, ApiError } from '#lib/api.ts'
import { client } from '#stores/client.ts'
import { $confirmation, confirmEmail, sendConfirmation } from '#stores/accounts/email-confirmation.ts'
import { $isEmailConfirmed, loadEmailConfirmed } from '#stores/accounts/email-confirmed.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { AWAY } from '#tests/support/chat/chatting.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { tokenOf } from '#tests/support/catalogue/shopping.ts'
import { stubStorage } from '#tests/support/browser/tab-storage.ts'

const EXPIRED = new ApiError(422, 'This link has expired')
const account = (emailConfirmed?: boolean) => Promise.resolve({ emailConfirmed } as Account)
const confirmCall = vi.fn<Api['confirmEmail']>()
let page: { state: unknown; replaceState: (state: unknown) => void }
let storage: Map<string, string>

beforeEach(() => {
  vi.stubGlobal('dispatchEvent', () => true)
  storage = stubStorage('localStorage')
  page = { state: { linkToken: 'abc' }, replaceState: state => void (page.state = state) }
  vi.stubGlobal('history', page)
  vi.stubGlobal('location', { pathname: '/confirm-email' })
  confirmCall.mockReset().mockResolvedValue({ message: 'Confirmed' })
  client.api = fakeApi({ confirmEmail: confirmCall })
  $customerToken.set(undefined)
  $confirmation.set({ state: 'confirming' })
  $isEmailConfirmed.set(undefined)
})
afterEach(() => vi.unstubAllGlobals())

describe('a confirmation link', () => {
  test('confirms the address once, and tells other tabs', async () => {
    $confirmation.set({ state: 'failed', message: 'Away' })
    const confirming = confirmEmail()
    expect($confirmation.get()).toEqual({ state: 'confirming' })
    await confirming

    expect(confirmCall).toHaveBeenCalledExactlyOnceWith({ token: 'abc' })
    expect($confirmation.get()).toEqual({ state: 'confirmed' })
    expect(storage.has('accountChanged')).toBe(true)

    await confirmEmail()
    expect(confirmCall).toHaveBeenCalledOnce()
    expect($confirmation.get()).toEqual({ state: 'confirmed' })
  })

  test('is incomplete without its token', async () => {
    page.state = null

    await confirmEmail()

    expect($confirmation.get()).toEqual({ state: 'dead', message: 'This link is incomplete' })
    expect(confirmCall).not.toHaveBeenCalled()
  })

  test.each([
    [EXPIRED, { state: 'dead', message: 'This link has expired' }],
    [new ApiError(400, 'The link is incomplete'), { state: 'dead', message: 'The link is incomplete' }],
    [AWAY, { state: 'failed', message: AWAY.message }],
  ])('shows the reason when it is rejected with %s', async (error, shown) => {
    confirmCall.mockRejectedValue(error)

    await confirmEmail()

    expect($confirmation.get()).toEqual(shown)
    expect(storage.has('accountChanged')).toBe(false)
  })

  test.each([
    ['confirmed', account(true), { state: 'known', email: 'ada@piazza.example' }],
    ['not confirmed', account(false), { state: 'dead' }],
  ])('that is dead tells a customer whose address is %s so', async (_was, getAccount, shown) => {
    $customerToken.set(tokenOf('ada'))
    confirmCall.mockRejectedValue(EXPIRED)
    const getProfile = () => Promise.resolve({ email: 'ada@piazza.example' } as Profile)
    client.api = fakeApi({ confirmEmail: confirmCall, getAccount: () => getAccount, getProfile })

    await confirmEmail()

    expect($confirmation.get()).toEqual({ ...shown, message: 'This link has expired' })
  })

  test('is dead when the customer’s account cannot be loaded', async () => {
    $customerToken.set(tokenOf('ada'))
    confirmCall.mockRejectedValue(EXPIRED)
    client.api = fakeApi({ confirmEmail: confirmCall, getAccount: () => Promise.reject(AWAY) })

    await confirmEmail()

    expect($confirmation.get()).toEqual({ state: 'dead', message: 'This link has expired' })
  })

  test('can be sent again', async () => {
    client.api = fakeApi({ sendConfirmation: () => Promise.resolve({ message: 'A new link is in the post' }) })

    expect(await sendConfirmation()).toBe('A new link is in the post')
  })
})

describe('email confirmation state', () => {
  const load = (getAccount: Api['getAccount']) => {
    client.api = fakeApi({ getAccount })
    return loadEmailConfirmed()
  }

  test.each([
    [true, true],
    [false, false],
    [undefined, true],
  ])('is %s when the provider says %s', async (said, isConfirmed) => {
    $customerToken.set(tokenOf('ada'))

    await load(() => account(said))

    expect($isEmailConfirmed.get()).toBe(isConfirmed)
  })

  test('is unknown for a visitor, without a request', async () => {
    await load(() => account(false))

    expect($isEmailConfirmed.get()).toBeUndefined()
  })

  test('is kept when the account cannot be loaded; unknown counts as confirmed for customers', async () => {
    $customerToken.set(tokenOf('ada'))
    await load(() => Promise.reject(AWAY))
    expect($isEmailConfirmed.get()).toBe(true)

    $isEmailConfirmed.set(false)
    await load(() => Promise.reject(AWAY))
    expect($isEmailConfirmed.get()).toBe(false)
  })

  test('is not taken from the previous customer', async () => {
    $customerToken.set(tokenOf('ada'))
    const loading = load(() => account(false))
    $customerToken.set(tokenOf('grace'))

    await loading

    expect($isEmailConfirmed.get()).toBeUndefined()
  })
})
