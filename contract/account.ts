import * as z from 'zod/mini'
import { COUNTRIES } from './countries.ts'
import { CURRENCIES } from './currencies.ts'
import { endpoint, NoInput } from './endpoint.ts'
import { ADDRESS_LENGTH } from './rules.ts'
import { Acknowledgement, isBlank, text } from './wire.ts'

/** One line of an address: not blank; kept without the spaces around it. */
function required(name: string) {
  const missing = `${name} is required`
  return text(name, ADDRESS_LENGTH, missing).check(
    z.trim(),
    z.refine(value => !isBlank(value), missing),
  )
}

function oneOf(name: string, choices: readonly string[]) {
  return required(name).check(z.refine(value => choices.includes(value), `${name} is not in the list`))
}

const Address = z.object({
  name: required('Name'),
  address: required('Address'),
  phone: required('Phone'),
  postal: required('Postal code'),
  province: required('Province'),
  city: required('City'),
  area: required('Area'),
  country: oneOf('Shipping country', COUNTRIES),
})

/** Where a customer's parcels go. Either spelling of the postal code is taken: checkout says `post`. */
const ShippingDetails = z.codec(z.unknown(), Address, {
  decode: given => {
    const { post, ...rest } = (given ?? {}) as Record<string, unknown>
    return { postal: post, ...rest } as z.input<typeof Address>
  },
  encode: address => address,
})

/** The account form, as the browser checks it and as the provider takes it. */
export const AccountForm = z.object({
  country: oneOf('Country', COUNTRIES),
  currency: oneOf(
    'Currency',
    CURRENCIES.map(({ code }) => code),
  ),
  shippingDetails: ShippingDetails,
})
export type AccountForm = z.output<typeof AccountForm>

/** The `code` of the refusal of an order that only a confirmed email address may place. */
export const EMAIL_NOT_CONFIRMED = 'EMAIL_NOT_CONFIRMED'

const filledIn = z._default(z.string(), '')

/** What was never filled in is empty; `currency` is USD then. */
export const Account = z.object({
  country: filledIn,
  currency: z._default(z.string(), 'USD'),
  /** Whether the customer has followed a link that was mailed to their address; counts as true if left out. */
  emailConfirmed: z.optional(z.boolean()),
  shippingDetails: z._default(
    z.object({
      name: filledIn,
      address: filledIn,
      phone: filledIn,
      postal: filledIn,
      province: filledIn,
      city: filledIn,
      area: filledIn,
      country: filledIn,
    }),
    { name: '', address: '', phone: '', postal: '', province: '', city: '', area: '', country: '' },
  ),
})
export type Account = z.output<typeof Account>

export const getAccount = endpoint({
  method: 'GET',
  path: '/account/get-details',
  input: NoInput,
  output: Account,
  isForCustomers: true,
})

export const updateAccount = endpoint({
  method: 'PUT',
  path: '/account/update-info',
  input: AccountForm,
  output: Acknowledgement,
  isForCustomers: true,
})
