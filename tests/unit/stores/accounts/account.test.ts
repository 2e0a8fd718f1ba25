import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { AccountForm } from '#contract/account.ts'
import { type Api, ApiError } from '#lib/api.ts'
import { $account, loadAccount, updateAccount } from '#stores/accounts/account.ts'
import { client } from '#stores/client.ts'
import { $currency } from '#stores/ui/currency.ts'
import { forgetSession, saveSession } from '#stores/accounts/tokens.ts'
import { takeToasts } from '#stores/ui/toasts.ts'
import { ACCOUNT } from '#tests/support/catalogue/customer.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { stubStorage } from '#tests/support/browser/tab-storage.ts'

const claims = Buffer.from(JSON.stringify({ id: 'ada', name: 'Ada', email: '' })).toString('base64url')
const getRates = () => Promise.resolve({ base: 'USD' as const, rates: { USD: 1, EUR: 0.9 } })
const getAccount = () => Promise.resolve(ACCOUNT)
const said = () => takeToasts().map(({ kind, text }) => [kind, text])

beforeEach(() => {
  vi.stubGlobal('dispatchEvent', vi.fn())
  saveSession({ token: `h.${claims}.s`, isSafari: false, cookieFallback: false })
  $account.set({ state: 'loading' })
  takeToasts()
})

describe('loading the account', () => {
  test('brings the details, and prices their currency', async () => {
    client.api = fakeApi({ getAccount, getRates })

    await loadAccount()

    expect($account.get()).toEqual({ state: 'ready', account: ACCOUNT })
    expect($currency.get()).toEqual({ currency: 'EUR', rate: 0.9 })
  })

  test('says when it fails, and can be tried again', async () => {
    client.api = fakeApi({ getAccount: () => Promise.reject(new ApiError(503, 'Away')) })
    await loadAccount()
    expect($account.get()).toEqual({ state: 'failed' })
    expect(said()).toEqual([['error', 'Failed to fetch user details']])

    client.api = fakeApi({ getAccount, getRates })
    await loadAccount()

    expect($account.get()).toMatchObject({ state: 'ready' })
  })
})

describe('an account that cannot be loaded', () => {
  const load = (call: Api['getAccount']) => {
    client.api = fakeApi({ getAccount: call, getRates })
    return loadAccount()
  }

  test('is loading again while it is tried again', async () => {
    await load(() => Promise.reject(new ApiError(503, 'Away')))

    const loading = load(getAccount)

    expect($account.get()).toEqual({ state: 'loading' })
    await loading
  })

  test('leaves what is shown, also while it is loaded again', async () => {
    await load(getAccount)

    const loading = load(() => Promise.reject(new ApiError(503, 'Away')))

    expect($account.get()).toMatchObject({ state: 'ready' })
    await loading
    expect($account.get()).toEqual({ state: 'ready', account: ACCOUNT })
  })

  test('is nobody’s without a customer, and not the next customer’s', async () => {
    const loading = load(getAccount)
    forgetSession()
    await loading
    await load(getAccount)

    expect($account.get()).toEqual({ state: 'loading' })
    expect(said()).toEqual([])
  })

  test('by a mistake of ours is loud', async () => {
    await expect(load(() => Promise.reject(new TypeError('a bug')))).rejects.toThrow('a bug')
  })
})

describe('updating the account', () => {
  const form: AccountForm = { ...ACCOUNT, currency: 'USD' }

  test('says what the provider says, and loads the details again', async () => {
    const updateAccountCall = vi.fn<Api['updateAccount']>(() => Promise.resolve({ message: 'Saved' }))
    client.api = fakeApi({ updateAccount: updateAccountCall, getAccount: () => Promise.resolve(form), getRates })

    const kept = stubStorage('localStorage')

    expect(await updateAccount(form)).toBeNull()

    expect(updateAccountCall).toHaveBeenCalledWith(form)
    expect(kept.has('accountChanged')).toBe(true)
    expect(said()).toEqual([['success', 'Saved']])
    expect($account.get()).toEqual({ state: 'ready', account: form })
    expect($currency.get().currency).toBe('USD')
  })

  test.each([
    [
      'City is required',
      new ApiError(422, 'City is required', undefined, { 'shippingDetails.city': 'City is required' }),
    ],
    ['Something went wrong', new ApiError(503, 'No answer', undefined, undefined, true)],
  ])('says %s and answers what is wrong where', async (text, error) => {
    client.api = fakeApi({ updateAccount: () => Promise.reject(error) })

    expect(await updateAccount(form)).toEqual(error.fields ?? {})

    expect(said()).toEqual([['error', text]])
  })
})
