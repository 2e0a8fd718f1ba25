import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Account, AccountForm } from '#contract/account.ts'
import { type Api, ApiError } from '#lib/api.ts'
import { $account, loadAccount, updateAccount } from '#stores/accounts/account.ts'
import { client } from '#stores/client.ts'
import { accountPart } from '#stores/customer-data.ts'
import { $currency } from '#stores/ui/currency.ts'
import { forgetSession, saveSession } from '#stores/accounts/tokens.ts'
import { takeToasts } from '#stores/ui/toasts.ts'
import { ACCOUNT } from '#tests/support/accounts/account.ts'
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
  test('loads the details and the currency of the prices', async () => {
    client.api = fakeApi({ getAccount, getRates })

    await loadAccount()

    expect($account.get()).toEqual({ state: 'ready', account: ACCOUNT })
    expect($currency.get()).toEqual({ currency: 'EUR', rate: 0.9 })
  })

  test('keeps the newest details, even if the responses arrive in another order', async () => {
    const late = Promise.withResolvers<Account>()
    client.api = fakeApi({ getAccount: () => late.promise, getRates })
    const [$country, loadCountry] = accountPart(({ country }) => country, null)
    const first = [loadAccount(), loadCountry()]
    const newest = { ...ACCOUNT, country: 'Uganda' }
    client.api = fakeApi({ getAccount: () => Promise.resolve(newest), getRates })
    await Promise.all([loadAccount(), loadCountry()])

    late.resolve(ACCOUNT)
    await Promise.all(first)

    expect($account.get()).toEqual({ state: 'ready', account: newest })
    expect($country.get()).toBe('Uganda')
  })

  test('shows an error when it fails, and can be retried', async () => {
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

  test('is in the state "loading" while it is retried', async () => {
    await load(() => Promise.reject(new ApiError(503, 'Away')))

    const loading = load(getAccount)

    expect($account.get()).toEqual({ state: 'loading' })
    await loading
  })

  test('keeps the shown account during and after a failed reload', async () => {
    await load(getAccount)

    const loading = load(() => Promise.reject(new ApiError(503, 'Away')))

    expect($account.get()).toMatchObject({ state: 'ready' })
    await loading
    expect($account.get()).toEqual({ state: 'ready', account: ACCOUNT })
  })

  test('stays in the state "loading" without a customer, or after the customer signs out', async () => {
    const loading = load(getAccount)
    forgetSession()
    await loading
    await load(getAccount)

    expect($account.get()).toEqual({ state: 'loading' })
    expect(said()).toEqual([])
  })

  test('rejects with a bug of our own', async () => {
    await expect(load(() => Promise.reject(new TypeError('a bug')))).rejects.toThrow('a bug')
  })
})

describe('updating the account', () => {
  const form: AccountForm = { ...ACCOUNT, currency: 'USD' }

  test('shows the server’s message, and loads the details again', async () => {
    const updateAccountCall = vi.fn<Api['updateAccount']>(() => Promise.resolve({ message: 'Saved' }))
    client.api = fakeApi({ updateAccount: updateAccountCall, getAccount: () => Promise.resolve(form), getRates })

    const storage = stubStorage('localStorage')

    await updateAccount(form)

    expect(updateAccountCall).toHaveBeenCalledWith(form)
    expect(storage.has('accountChanged')).toBe(true)
    expect(said()).toEqual([['success', 'Saved']])
    expect($account.get()).toEqual({ state: 'ready', account: form })
    expect($currency.get().currency).toBe('USD')
  })

  test('shows what was saved when the details cannot be loaded after it', async () => {
    client.api = fakeApi({ getAccount, getRates })
    await loadAccount()
    const updateAccountCall = () => Promise.resolve({ message: 'Saved' })
    client.api = fakeApi({
      updateAccount: updateAccountCall,
      getAccount: () => Promise.reject(new ApiError(503, 'Away')),
    })

    await updateAccount(form)

    expect($account.get()).toEqual({ state: 'ready', account: form })
  })

  test('rejects with the error of the provider', async () => {
    const error = new ApiError(422, 'City is required', {
      fields: { 'shippingDetails.city': 'City is required' },
    })
    client.api = fakeApi({ updateAccount: () => Promise.reject(error) })

    await expect(updateAccount(form)).rejects.toBe(error)

    expect(said()).toEqual([])
  })
})
