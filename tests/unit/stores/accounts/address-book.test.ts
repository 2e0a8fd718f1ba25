import { beforeEach, expect, test, vi } from 'vitest'
import type { BookAddress } from '#contract/account.ts'
import { type Api, ApiError } from '#lib/api.ts'
import { $account } from '#stores/accounts/account.ts'
import { $book, loadBook, makeDefaultAddress, removeAddress } from '#stores/accounts/address-book.ts'
import { saveSession } from '#stores/accounts/tokens.ts'
import { client } from '#stores/client.ts'
import { takeToasts } from '#stores/ui/toasts.ts'
import { ACCOUNT } from '#tests/support/accounts/account.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'

const claims = Buffer.from(JSON.stringify({ id: 'ada', name: 'Ada', email: '' })).toString('base64url')
const MOMBASA = { ...ACCOUNT.shippingDetails, city: 'Mombasa' }
const HOME: BookAddress = { id: 'a1', label: 'Home', isDefault: true, shippingDetails: ACCOUNT.shippingDetails }
const OFFICE: BookAddress = { id: 'a2', label: 'Office', isDefault: false, shippingDetails: MOMBASA }
const LOST = new ApiError(0, 'Check your connection')

/** What the provider has, and a call that changes it, but whose response is lost. */
let stored: BookAddress[]
const lostAfter = (change: () => void) => () => {
  change()
  return Promise.reject(LOST)
}

/** A customer with two addresses on the page. */
async function openBook(calls: Partial<Api>): Promise<void> {
  stored = [HOME, OFFICE]
  client.api = fakeApi({
    getAddresses: () => Promise.resolve({ addresses: stored }),
    getAccount: () => Promise.resolve({ ...ACCOUNT, shippingDetails: stored[0]!.shippingDetails }),
    getRates: () => Promise.resolve({ base: 'USD' as const, rates: { USD: 1, EUR: 0.9 } }),
    ...calls,
  })
  $account.set({ state: 'ready', account: ACCOUNT })
  await loadBook()
}

beforeEach(() => {
  vi.stubGlobal('dispatchEvent', vi.fn())
  saveSession({ token: `h.${claims}.s`, isSafari: false, cookieFallback: false })
  takeToasts()
})

test('an address is gone from the list when it was removed, but the response was lost', async () => {
  await openBook({ removeAddress: lostAfter(() => (stored = [HOME])) })

  await expect(removeAddress('a2')).rejects.toBe(LOST)

  await vi.waitFor(() => expect($book.get()).toEqual([HOME]))
  expect(takeToasts()).toEqual([])
})

test('the account has the new default address when the response to it was lost', async () => {
  const change = () =>
    (stored = [
      { ...OFFICE, isDefault: true },
      { ...HOME, isDefault: false },
    ])
  await openBook({ makeDefaultAddress: lostAfter(change) })

  await expect(makeDefaultAddress('a2')).rejects.toBe(LOST)

  await vi.waitFor(() => expect($account.get()).toMatchObject({ account: { shippingDetails: MOMBASA } }))
})

test('the addresses stay on the page when neither the change nor the list succeeds', async () => {
  await openBook({ removeAddress: () => Promise.reject(LOST) })
  const getAddresses = vi.fn<Api['getAddresses']>(() => Promise.reject(LOST))
  client.api = fakeApi({ ...client.api, getAddresses, removeAddress: () => Promise.reject(LOST) })

  await expect(removeAddress('a2')).rejects.toBe(LOST)

  await vi.waitFor(() => expect(getAddresses).toHaveBeenCalledOnce())
  expect($book.get()).toEqual([HOME, OFFICE])
})

test('a removed address does not come back with a list that was asked for before', async () => {
  await openBook({})
  const late = Promise.withResolvers<{ addresses: BookAddress[] }>()
  client.api = fakeApi({ ...client.api, getAddresses: () => late.promise })
  const first = loadBook()
  client.api = fakeApi({ ...client.api, getAddresses: () => Promise.resolve({ addresses: [HOME] }) })
  await loadBook()

  late.resolve({ addresses: [HOME, OFFICE] })
  await first

  expect($book.get()).toEqual([HOME])
})

test('a list is shown although one that was asked for later failed', async () => {
  await openBook({})
  $book.set(undefined)
  const late = Promise.withResolvers<{ addresses: BookAddress[] }>()
  client.api = fakeApi({ ...client.api, getAddresses: () => late.promise })
  const first = loadBook()
  client.api = fakeApi({ ...client.api, getAddresses: () => Promise.reject(LOST) })
  await loadBook()

  late.resolve({ addresses: [HOME, OFFICE] })
  await first

  expect($book.get()).toEqual([HOME, OFFICE])
})
