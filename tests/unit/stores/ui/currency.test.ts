import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type Api, ApiError } from '#lib/api.ts'
import { client } from '#stores/client.ts'
import { $currency, loadCurrency, showCurrency } from '#stores/ui/currency.ts'
import { forgetSession, saveSession } from '#stores/accounts/tokens.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'

const DOLLARS = { currency: 'USD', rate: 1 }
const away = () => Promise.reject(new ApiError(503, 'Away'))
const nowhere = { name: '', address: '', phone: '', postal: '', province: '', city: '', area: '', country: '' }
const accountIn = (currency: string, country = '') => ({ country, currency, shippingDetails: nowhere })
const getAccount = vi.fn<Api['getAccount']>(() => Promise.resolve(accountIn('EUR', 'Kenya')))
const ratesOf = (rates: Record<string, number>) => () => Promise.resolve({ base: 'USD' as const, rates })

function signInAs(id: string): void {
  const claims = Buffer.from(JSON.stringify({ id, name: 'Ada', email: '' })).toString('base64url')
  saveSession({ token: `h.${claims}.s`, isSafari: false, cookieFallback: false })
}

beforeEach(async () => {
  forgetSession()
  await loadCurrency()
  getAccount.mockClear()
  signInAs('ada')
  client.api = fakeApi({ getAccount, getRates: ratesOf({ USD: 1, EUR: 0.9, GBP: 0.8 }) })
})

describe('the currency of the prices', () => {
  test('is the dollar for visitors, without a request', async () => {
    forgetSession()
    client.api = fakeApi({})

    await loadCurrency()

    expect($currency.get()).toEqual(DOLLARS)
  })

  test('is the account’s, loaded at most every five minutes', async () => {
    await loadCurrency()
    await loadCurrency()

    expect($currency.get()).toEqual({ currency: 'EUR', rate: 0.9 })
    expect(getAccount).toHaveBeenCalledTimes(1)
    vi.useFakeTimers({ now: Date.now() + 5 * 60_000 })
    await loadCurrency()
    expect(getAccount).toHaveBeenCalledTimes(2)
    // A clock that was set back loads it too.
    vi.setSystemTime(Date.now() - 24 * 3600_000)
    await loadCurrency()
    vi.useRealTimers()
    expect(getAccount).toHaveBeenCalledTimes(3)
  })

  test('is not the previous customer’s', async () => {
    await loadCurrency()

    signInAs('grace')

    expect($currency.get()).toEqual(DOLLARS)
    await loadCurrency()
    expect($currency.get().currency).toBe('EUR')
    expect(getAccount).toHaveBeenCalledTimes(2)
  })

  test('ignores responses that arrive after another customer has signed in', async () => {
    const inBetween = async <Answer>(answer: Promise<Answer>) => {
      signInAs('grace')
      return answer
    }
    const getRates = ratesOf({ USD: 1, EUR: 0.9 })
    client.api = fakeApi({ getAccount: () => inBetween(getAccount({})), getRates })
    await loadCurrency()
    expect($currency.get()).toEqual(DOLLARS)

    signInAs('ada')
    client.api = fakeApi({ getAccount, getRates: () => inBetween(getRates()) })
    await loadCurrency()
    expect($currency.get()).toEqual(DOLLARS)
  })

  test('is the dollar again after the session', async () => {
    await loadCurrency()

    forgetSession()

    expect($currency.get()).toEqual(DOLLARS)
  })

  test('changes at once with the account', async () => {
    await loadCurrency()

    await showCurrency(accountIn('GBP'))

    expect($currency.get()).toEqual({ currency: 'GBP', rate: 0.8 })
  })

  test('does not change for a customer who signs in before the rate has arrived', async () => {
    signInAs('grace')
    await loadCurrency()
    signInAs('ada')
    const getRates = ratesOf({ GBP: 0.8 })
    client.api = fakeApi({
      getRates() {
        signInAs('grace')
        return getRates()
      },
    })

    await showCurrency(accountIn('GBP'))

    expect($currency.get().currency).toBe('EUR')
  })

  test.each([
    ['the rates are away', away],
    ['its rate is not known', ratesOf({ USD: 1 })],
  ])('is the dollar while %s, and is loaded again', async (_, getRates) => {
    client.api = fakeApi({ getAccount, getRates })

    await loadCurrency()

    expect($currency.get()).toEqual(DOLLARS)
    await loadCurrency()
    expect(getAccount).toHaveBeenCalledTimes(2)
  })

  test('keeps its last rate when the rates cannot be loaded', async () => {
    await loadCurrency()
    client.api = fakeApi({ getRates: away })

    await showCurrency(accountIn('EUR'))

    expect($currency.get()).toEqual({ currency: 'EUR', rate: 0.9 })
  })

  test('stays unchanged when the account cannot be loaded', async () => {
    client.api = fakeApi({ getAccount: away })

    await loadCurrency()

    expect($currency.get()).toEqual(DOLLARS)
  })
})
