import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '#lib/api.ts'
import {
  $address,
  changeAddress,
  chooseDefaultAddress,
  confirmAddress,
  editAddress,
  forgetAddress,
  restoreAddress,
  settledForm,
} from '#stores/accounts/address.ts'
import { client } from '#stores/client.ts'
import { takeToasts } from '#stores/ui/toasts.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { ACCOUNT } from '#tests/support/accounts/account.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { tokenOf } from '#tests/support/catalogue/shopping.ts'
import { stubStorage } from '#tests/support/browser/tab-storage.ts'

const { postal: post, ...rest } = ACCOUNT.shippingDetails
const SAVED = { ...rest, post }
const KENYA = new Set(['Kenya'])
const said = () => takeToasts().map(({ kind, text }) => `${kind}: ${text}`)

beforeEach(() => {
  vi.stubGlobal('dispatchEvent', () => true)
  stubStorage('sessionStorage')
  client.api = fakeApi({ getAccount: () => Promise.resolve(ACCOUNT) })
  $customerToken.set(tokenOf('ada'))
  forgetAddress()
  takeToasts()
})
afterEach(() => vi.unstubAllGlobals())

describe('the default address', () => {
  test('is copied into the form, and removed again', async () => {
    await chooseDefaultAddress(true, KENYA)
    expect($address.get()).toMatchObject({ form: SAVED, isConfirmed: false, fromAccount: 'yes' })
    expect(said()).toEqual([])

    await chooseDefaultAddress(false, KENYA)
    expect($address.get()).toMatchObject({ form: { name: '', country: '' }, fromAccount: 'no' })
  })

  test('shows an error when nothing ships to its country, but copies it', async () => {
    await chooseDefaultAddress(true, new Set(['Ghana']))

    expect(said()).toEqual(['error: Products cannot be shipped to your default location.'])
    expect($address.get().form).toEqual(SAVED)
  })

  test('is awaited when the customer continues, until they type or load a new page', async () => {
    const copying = chooseDefaultAddress(true, KENYA)
    expect($address.get()).toMatchObject({ form: { name: '' }, fromAccount: 'coming' })
    expect(await settledForm()).toEqual(SAVED)
    await copying

    client.api = fakeApi({ getAccount: () => new Promise(() => undefined) })
    void chooseDefaultAddress(true, KENYA)
    editAddress({ name: 'Grace' })
    expect(await settledForm()).toEqual({ ...SAVED, name: 'Grace' })

    void chooseDefaultAddress(true, KENYA)
    restoreAddress()
    expect($address.get().fromAccount).toBe('no')
    expect(await settledForm()).toEqual({ ...SAVED, name: 'Grace' })
  })

  test('leaves the typed address when the account has none', async () => {
    const nothing = Object.fromEntries(Object.keys(ACCOUNT.shippingDetails).map(name => [name, '']))
    const shippingDetails = nothing as typeof ACCOUNT.shippingDetails
    client.api = fakeApi({ getAccount: () => Promise.resolve({ ...ACCOUNT, shippingDetails }) })
    editAddress({ name: 'Grace', country: 'Kenya' })

    await chooseDefaultAddress(true, KENYA)

    expect($address.get()).toMatchObject({ form: { name: 'Grace', country: 'Kenya' }, fromAccount: 'no' })
    expect(said()).toEqual(['error: Products cannot be shipped to your default location.'])
  })

  test('is copied even if only the city is known', async () => {
    const shippingDetails = { name: '', address: '', phone: '', postal: '', province: '', area: '', country: '' }
    client.api = fakeApi({
      getAccount: () => Promise.resolve({ ...ACCOUNT, shippingDetails: { ...shippingDetails, city: 'Nairobi' } }),
    })
    editAddress({ name: 'Grace' })

    await chooseDefaultAddress(true, KENYA)

    expect($address.get()).toMatchObject({ form: { name: '', city: 'Nairobi' }, fromAccount: 'yes' })
  })

  test('does not replace what the customer typed while it was loading', async () => {
    const copying = chooseDefaultAddress(true, KENYA)
    editAddress({ name: 'Grace' })
    await copying

    expect($address.get()).toMatchObject({ form: { name: 'Grace', city: '' }, fromAccount: 'no' })
  })

  test('is dropped when deselected while loading, as is its error', async () => {
    const copying = chooseDefaultAddress(true, KENYA)
    await chooseDefaultAddress(false, KENYA)
    await copying
    expect($address.get()).toMatchObject({ form: { name: '' }, fromAccount: 'no' })

    client.api = fakeApi({ getAccount: () => Promise.reject(new ApiError(503, 'Away')) })
    const failing = chooseDefaultAddress(true, KENYA)
    await chooseDefaultAddress(false, KENYA)
    await failing
    expect(said()).toEqual([])
  })

  test('is dropped when another customer signs in while it is loading', async () => {
    const copying = chooseDefaultAddress(true, KENYA)
    $customerToken.set(tokenOf('eve'))
    restoreAddress()
    await copying

    expect($address.get()).toMatchObject({ form: { name: '' }, fromAccount: 'no' })
  })

  test('is copied once when selected, deselected and selected again', async () => {
    const choices = [true, false, true].map(isWanted => chooseDefaultAddress(isWanted, KENYA))
    await Promise.all(choices)

    expect($address.get()).toMatchObject({ form: SAVED, isConfirmed: false, fromAccount: 'yes' })
  })

  test('counts as another address after an edit', async () => {
    await chooseDefaultAddress(true, KENYA)
    editAddress({ country: 'Ghana' })

    expect($address.get()).toMatchObject({ form: { ...SAVED, country: 'Ghana' }, fromAccount: 'no' })
  })

  test('shows an error when it cannot be loaded', async () => {
    client.api = fakeApi({ getAccount: () => Promise.reject(new ApiError(503, 'Away')) })
    editAddress({ name: 'Grace' })

    await chooseDefaultAddress(true, KENYA)

    expect(said()).toEqual(['error: Failed to fetch user details'])
    expect($address.get()).toMatchObject({ form: { name: 'Grace' }, fromAccount: 'no' })
  })
})

describe('a typed address', () => {
  test('is restored after a reload, confirmed or not', () => {
    editAddress({ city: 'Nairobi' })
    confirmAddress(SAVED)
    const before = $address.get()
    $address.set({ ...before, form: { ...SAVED, city: 'Lost' } })

    restoreAddress()

    expect($address.get()).toEqual(before)
    changeAddress()
    restoreAddress()
    expect($address.get()).toMatchObject({ isConfirmed: false, form: SAVED })
  })

  test('must be confirmed again after an edit', () => {
    confirmAddress(SAVED)
    editAddress({ city: 'Mombasa' })

    expect($address.get()).toMatchObject({ isConfirmed: false, form: { city: 'Mombasa' } })
  })

  test('is hidden from other customers, and cleared with the order', () => {
    confirmAddress(SAVED)
    $customerToken.set(tokenOf('eve'))
    restoreAddress()
    expect($address.get().form.name).toBe('')

    $customerToken.set(tokenOf('ada'))
    restoreAddress()
    expect($address.get().form.name).toBe(SAVED.name)
    forgetAddress()
    restoreAddress()
    expect($address.get().form.name).toBe('')
  })
})

test('a confirmed address is marked as confirmed, and stays the account’s after a reload', async () => {
  await chooseDefaultAddress(true, KENYA)
  confirmAddress(SAVED)
  expect($address.get()).toMatchObject({ form: SAVED, isConfirmed: true, fromAccount: 'yes' })

  restoreAddress()

  expect($address.get()).toMatchObject({ form: SAVED, isConfirmed: true, fromAccount: 'yes' })
})
