import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AddressChoice } from '#islands/orders/AddressChoice.tsx'
import { $book } from '#stores/accounts/address-book.ts'
import { chooseAddress, editAddress } from '#stores/accounts/address.ts'
import { ACCOUNT } from '#tests/support/accounts/account.ts'
import { stubStorage } from '#tests/support/browser/tab-storage.ts'

const HOME = ACCOUNT.shippingDetails
const OFFICE = { ...HOME, city: 'Mombasa' }

beforeEach(() => {
  stubStorage('sessionStorage')
  $book.set([
    { id: 'default', label: 'Home', isDefault: true, shippingDetails: HOME },
    { id: 'a1', label: 'Office', isDefault: false, shippingDetails: OFFICE },
  ])
})
afterEach(() => vi.unstubAllGlobals())

const shown = () =>
  /<option[^>]* selected=""[^>]*>([^:<]*)/.exec(
    renderToString(createElement(AddressChoice, { onChoose: () => undefined })),
  )?.[1]

test('the choice among the addresses shows the one in the form, until the customer edits it', () => {
  expect(shown()).toBe('Choose one to fill it in')

  chooseAddress(OFFICE, false)
  expect(shown()).toBe('Office')

  editAddress({ name: 'Grace' })
  expect(shown()).toBe('Choose one to fill it in')
})
