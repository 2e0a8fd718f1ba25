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
import { ACCOUNT } from '#tests/support/catalogue/customer.ts'
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
  test('is copied, and taken out again', async () => {
    await chooseDefaultAddress(true, KENYA)
    expect($address.get()).toEqual({ form: SAVED, isConfirmed: false, fromAccount: 'yes' })
    expect(said()).toEqual([])

    await chooseDefaultAddress(false, KENYA)
    expect($address.get()).toMatchObject({ form: { name: '', country: '' }, fromAccount: 'no' })
  })

  test('in a country that nothing ships to is said, and can be changed', async () => {
    await chooseDefaultAddress(true, new Set(['Ghana']))

    expect(said()).toEqual(['error: Products cannot be shipped to your default location.'])
    expect($address.get().form).toEqual(SAVED)
  })

  test('is waited for by who goes on with the form, until they type or a new page is loaded', async () => {
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

  test('that was never saved leaves what the customer has typed', async () => {
    const nothing = Object.fromEntries(Object.keys(ACCOUNT.shippingDetails).map(name => [name, '']))
    const shippingDetails = nothing as typeof ACCOUNT.shippingDetails
    client.api = fakeApi({ getAccount: () => Promise.resolve({ ...ACCOUNT, shippingDetails }) })
    editAddress({ name: 'Grace', country: 'Kenya' })

    await chooseDefaultAddress(true, KENYA)

    expect($address.get()).toMatchObject({ form: { name: 'Grace', country: 'Kenya' }, fromAccount: 'no' })
    expect(said()).toEqual(['error: Products cannot be shipped to your default location.'])
  })

  test('of which only the city is known is copied as it is', async () => {
    const shippingDetails = { name: '', address: '', phone: '', postal: '', province: '', area: '', country: '' }
    client.api = fakeApi({
      getAccount: () => Promise.resolve({ ...ACCOUNT, shippingDetails: { ...shippingDetails, city: 'Nairobi' } }),
    })
    editAddress({ name: 'Grace' })

    await chooseDefaultAddress(true, KENYA)

    expect($address.get()).toMatchObject({ form: { name: '', city: 'Nairobi' }, fromAccount: 'yes' })
  })

  test('that comes after the customer has typed changes nothing', async () => {
    const copying = chooseDefaultAddress(true, KENYA)
    editAddress({ name: 'Grace' })
    await copying

    expect($address.get()).toMatchObject({ form: { name: 'Grace', city: '' }, fromAccount: 'no' })
  })

  test('that was not wanted any more when it came changes nothing, nor does its failure', async () => {
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

  test('is nobody else’s who has signed in before it came', async () => {
    const copying = chooseDefaultAddress(true, KENYA)
    $customerToken.set(tokenOf('eve'))
    restoreAddress()
    await copying

    expect($address.get()).toMatchObject({ form: { name: '' }, fromAccount: 'no' })
  })

  test('that is wanted, not wanted and wanted again is copied once', async () => {
    const choices = [true, false, true].map(isWanted => chooseDefaultAddress(isWanted, KENYA))
    await Promise.all(choices)

    expect($address.get()).toEqual({ form: SAVED, isConfirmed: false, fromAccount: 'yes' })
  })

  test('is another address with a change', async () => {
    await chooseDefaultAddress(true, KENYA)
    editAddress({ country: 'Ghana' })

    expect($address.get()).toMatchObject({ form: { ...SAVED, country: 'Ghana' }, fromAccount: 'no' })
  })

  test('that cannot be had is said', async () => {
    client.api = fakeApi({ getAccount: () => Promise.reject(new ApiError(503, 'Away')) })
    editAddress({ name: 'Grace' })

    await chooseDefaultAddress(true, KENYA)

    expect(said()).toEqual(['error: Failed to fetch user details'])
    expect($address.get()).toMatchObject({ form: { name: 'Grace' }, fromAccount: 'no' })
  })
})

describe('what was typed', () => {
  test('is there again when the page is loaded again, confirmed or not', () => {
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

  test('must be confirmed again after a change', () => {
    confirmAddress(SAVED)
    editAddress({ city: 'Mombasa' })

    expect($address.get()).toMatchObject({ isConfirmed: false, form: { city: 'Mombasa' } })
  })

  test('is nobody else’s, and gone with the order', () => {
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
