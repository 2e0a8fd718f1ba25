import { keepMount } from 'nanostores'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { BookAddress } from '#contract/account.ts'
import { ACCOUNT } from '#tests/support/accounts/account.ts'
import { tokenOf } from '#tests/support/catalogue/shopping.ts'
import { stubPage } from '#tests/support/browser/tab-page.ts'
import { stubStorage } from '#tests/support/browser/tab-storage.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'

const HOME = ACCOUNT.shippingDetails
const NEW_HOME = { ...HOME, address: '99 New Street' }
const OFFICE = { ...HOME, address: '5 Moi Avenue', city: 'Mombasa' }
const entry = (id: string, shippingDetails: typeof HOME): BookAddress => ({
  id,
  label: id,
  isDefault: id === 'default',
  shippingDetails,
})
const form = ({ postal: post, ...rest }: typeof HOME) => ({ ...rest, post })

/** The addresses that the provider has, and whether it does not respond. */
let home: typeof HOME
let office: typeof HOME | null
let isAway: boolean

/** The stores of a freshly loaded checkout page. The tab's storage stays. */
async function openCheckout() {
  vi.resetModules()
  const page = stubPage()
  const { client } = await import('#stores/client.ts')
  const { ApiError } = await import('#lib/api.ts')
  const respond = <T>(response: T) => (isAway ? Promise.reject(new ApiError(503, 'Away')) : Promise.resolve(response))
  client.api = fakeApi({
    getAccount: () => respond({ ...ACCOUNT, shippingDetails: home }),
    getAddresses: () => respond({ addresses: [entry('default', home), ...(office ? [entry('office', office)] : [])] }),
  })
  const { $customerToken } = await import('#stores/accounts/tokens.ts')
  $customerToken.set(tokenOf('ada'))
  const address = await import('#stores/accounts/address.ts')
  const { $book } = await import('#stores/accounts/address-book.ts')
  keepMount(address.$address)
  keepMount($book)
  await loaded()
  return { ...address, ...page, shown: () => address.$address.get() }
}

const loaded = () => new Promise(resolve => setTimeout(resolve))

beforeEach(() => {
  stubStorage('sessionStorage')
  home = HOME
  office = OFFICE
  isAway = false
})
afterEach(() => vi.unstubAllGlobals())

describe('the default address, once confirmed at checkout', () => {
  beforeEach(async () => {
    const { confirmAddress } = await openCheckout()
    // The checkout formats the phone number.
    confirmAddress({ ...form(HOME), phone: '+254700000000' })
  })

  test('stays confirmed while the account keeps it', async () => {
    const { shown } = await openCheckout()

    expect(shown()).toMatchObject({ form: { phone: '+254700000000' }, isConfirmed: true, fromAccount: 'yes' })
  })

  test('gives way to the new default address, which must be confirmed', async () => {
    home = NEW_HOME
    const { shown } = await openCheckout()

    expect(shown()).toMatchObject({ form: form(NEW_HOME), isConfirmed: false, fromAccount: 'yes' })
  })

  test('gives way to the new default address in an open tab, too', async () => {
    const { shown, announce } = await openCheckout()
    home = NEW_HOME
    announce('account')
    await loaded()

    expect(shown()).toMatchObject({ form: form(NEW_HOME), isConfirmed: false, fromAccount: 'yes' })
  })

  test('stays confirmed if the account cannot be loaded', async () => {
    isAway = true
    const { shown } = await openCheckout()

    expect(shown().isConfirmed).toBe(true)
  })

  test('is kept once the customer has edited it', async () => {
    const { editAddress, confirmAddress } = await openCheckout()
    editAddress({ city: 'Thika' })
    confirmAddress({ ...form(HOME), city: 'Thika' })
    home = NEW_HOME
    const { shown } = await openCheckout()

    expect(shown()).toMatchObject({ form: { ...form(HOME), city: 'Thika' }, isConfirmed: true })
  })
})

describe('another address of the book, once confirmed at checkout', () => {
  beforeEach(async () => {
    const { chooseAddress, confirmAddress } = await openCheckout()
    chooseAddress(OFFICE, false)
    confirmAddress(form(OFFICE))
  })

  test.each([
    ['the book keeps it', () => undefined],
    ['another address becomes the default', () => (home = NEW_HOME)],
    ['it becomes the default', () => ([home, office] = [OFFICE, HOME])],
    ['the book cannot be loaded', () => (isAway = true)],
  ])('stays confirmed if %s', async (_case, change) => {
    change()
    const { shown } = await openCheckout()

    expect(shown()).toMatchObject({ form: form(OFFICE), isConfirmed: true })
  })

  test.each([
    ['removed', null],
    ['changed', { ...OFFICE, address: '6 Moi Avenue' }],
  ])('must be confirmed again if it was %s', async (_case, now) => {
    office = now
    const { shown, confirmAddress } = await openCheckout()
    expect(shown()).toMatchObject({ form: form(OFFICE), isConfirmed: false })

    confirmAddress(form(OFFICE))
    const again = await openCheckout()
    expect(again.shown()).toMatchObject({ form: form(OFFICE), isConfirmed: true })
  })

  test('is kept once the customer has edited it', async () => {
    const { editAddress, confirmAddress } = await openCheckout()
    editAddress({ name: 'Grace' })
    confirmAddress({ ...form(OFFICE), name: 'Grace' })
    office = null
    const { shown } = await openCheckout()

    expect(shown()).toMatchObject({ form: { ...form(OFFICE), name: 'Grace' }, isConfirmed: true })
  })
})

test('the choice of addresses shows the one in the form, until it is edited', async () => {
  const { chooseAddress, editAddress, entryInForm, shown } = await openCheckout()
  const book = [entry('default', HOME), entry('office', OFFICE)]
  expect(entryInForm(book, shown())?.id).toBe('default')

  chooseAddress(OFFICE, false)
  expect(entryInForm(book, shown())?.id).toBe('office')

  editAddress({ name: 'Grace' })
  expect(entryInForm(book, shown())).toBeUndefined()
})
