import { createElement, type ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { COUNTRIES } from '#contract/countries.ts'
import { EMPTY_SHIPPING_FORM } from '#contract/orders.ts'
import { EMPTY_ADDRESS } from '#contract/rules.ts'
import { AddressFields } from '#islands/accounts/AddressFields.tsx'
import { addressFields } from '#lib/accounts/address-fields.ts'

/** The token of each field's name, as the HTML standard calls the parts of an address. */
const TOKENS: Record<string, string> = {
  country: 'shipping country-name',
  name: 'shipping name',
  address: 'shipping street-address',
  area: 'shipping address-level3',
  city: 'shipping address-level2',
  province: 'shipping address-level1',
  post: 'shipping postal-code',
  postal: 'shipping postal-code',
  phone: 'shipping tel',
}

const shared = { countryLabel: 'Country', errorOf: () => undefined, onEdit: () => undefined }
const checkoutForm = (country: string) =>
  createElement(AddressFields<'post'>, { ...shared, postName: 'post', values: { ...EMPTY_SHIPPING_FORM, country } })
const accountForm = (country: string) =>
  createElement(AddressFields<'postal'>, { ...shared, postName: 'postal', values: { ...EMPTY_ADDRESS, country } })

/** The fields' names, each with what the browser is told to fill in. */
function filledIn(form: ReactElement): [name: string, token: string | undefined][] {
  const controls = renderToString(form).match(/<(input|select)\b[^>]*>/g) ?? []
  const valueOf = (control: string, attribute: string) => new RegExp(` ${attribute}="([^"]*)"`, 'i').exec(control)?.[1]
  return controls.map(control => [valueOf(control, 'name') ?? '', valueOf(control, 'autocomplete')])
}

describe.each([
  { form: 'the checkout', post: 'post', render: checkoutForm },
  { form: 'the account', post: 'postal', render: accountForm },
])('the browser fills in every field of $form', ({ post, render }) => {
  test.each(['', ...COUNTRIES])('for %j', country => {
    const lines = addressFields(country).map(({ name }) => (name === 'post' ? post : name))

    expect(filledIn(render(country))).toEqual(['country', 'name', ...lines, 'phone'].map(name => [name, TOKENS[name]]))
  })
})
