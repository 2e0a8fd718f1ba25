import * as z from 'zod/mini'
import { COUNTRIES } from './countries.ts'
import { CURRENCIES } from './currencies.ts'
import { endpoint, NoInput, renamed } from './endpoint.ts'
import { ADDRESS_LENGTH, ADDRESS_NAME_LENGTH, EMPTY_ADDRESS } from './rules.ts'
import { Acknowledgement, Id, isBlank, text } from './wire.ts'

/** A required field of an address: trimmed, not blank. */
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

/** The saved shipping address. Accepts `post` for `postal`, because the checkout form calls the field `post`. */
const ShippingDetails = z.codec(z.unknown(), Address, {
  decode: given => {
    const { post, ...rest } = (given ?? {}) as Record<string, unknown>
    return { postal: post, ...rest } as z.input<typeof Address>
  },
  encode: address => address,
})

const country = oneOf('Country', COUNTRIES)
const currency = oneOf(
  'Currency',
  CURRENCIES.map(({ code }) => code),
)

/** The account form. The browser and the provider both validate with it. */
export const AccountForm = z.object({ country, currency, shippingDetails: ShippingDetails })
export type AccountForm = z.output<typeof AccountForm>

/** The country and currency that a visitor chose before registering. The new account starts with them. */
export const VisitorChoice = z.object({ country: z.optional(country), currency: z.optional(currency) })
export type VisitorChoice = z.output<typeof VisitorChoice>

/** Error code of an order that only customers with a confirmed email address may place. */
export const EMAIL_NOT_CONFIRMED = 'EMAIL_NOT_CONFIRMED'

const filledIn = z._default(z.string(), '')

const StoredAddress = z.object({
  name: filledIn,
  address: filledIn,
  phone: filledIn,
  postal: filledIn,
  province: filledIn,
  city: filledIn,
  area: filledIn,
  country: filledIn,
})

/** Fields that the customer never filled in are empty strings; `currency` defaults to USD. */
export const Account = z.object({
  country: filledIn,
  currency: z._default(z.string(), 'USD'),
  /** Whether the customer has opened a confirmation link mailed to them. Absent means true. */
  emailConfirmed: z.optional(z.boolean()),
  /**
   * Set if the customer has asked for deletion: the account is erased at `at` or, with `waitsForOrders`, once all
   * orders have arrived and all returns are complete.
   */
  deletion: z.optional(z.object({ at: z.iso.datetime(), waitsForOrders: z.boolean() })),
  shippingDetails: z._default(StoredAddress, EMPTY_ADDRESS),
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

/** The address book's id for the default address, which is stored with the account itself. */
export const DEFAULT_ADDRESS = 'default'

/**
 * An address in the customer's address book. `label` is their name for it, such as 'Home'; the default may have none.
 */
export const BookAddress = renamed(
  { _id: z.string(), label: filledIn, isDefault: z.boolean(), shippingDetails: StoredAddress },
  { _id: 'id' },
)
export type BookAddress = z.output<typeof BookAddress>

const addressName = text('Name of the address', ADDRESS_NAME_LENGTH, 'Name of the address is required').check(
  z.trim(),
  z.refine(value => !isBlank(value), 'Name of the address is required'),
)

/** The form for an address in the address book. The browser and the provider both validate with it. */
export const BookForm = z.object({ label: addressName, shippingDetails: ShippingDetails })
export type BookForm = z.output<typeof BookForm>

/** The default address first, if there is one, then the others, oldest first. */
export const getAddresses = endpoint({
  method: 'GET',
  path: '/home/customer/addresses',
  input: NoInput,
  output: z.object({ addresses: z.array(BookAddress) }),
  isForCustomers: true,
})

/** The first address becomes the default. At most `MAX_ADDRESSES` more can be added; the same one is added once. */
export const addAddress = endpoint({
  method: 'POST',
  path: '/home/customer/addresses',
  input: BookForm,
  output: Acknowledgement,
  isForCustomers: true,
})

/** With the id `DEFAULT_ADDRESS`, changes the default address. */
export const changeAddress = endpoint({
  method: 'PUT',
  path: '/home/customer/addresses/:id',
  input: renamed({ id: Id('id'), label: addressName, shippingDetails: ShippingDetails }, { id: 'addressId' }),
  output: Acknowledgement,
  isForCustomers: true,
})

const bookCall = {
  input: renamed({ id: Id('id') }, { id: 'addressId' }),
  output: Acknowledgement,
  isForCustomers: true,
} as const

export const removeAddress = endpoint({ method: 'DELETE', path: '/home/customer/addresses/:id', ...bookCall })

/** Makes an address the default; the previous default stays in the address book. */
export const makeDefaultAddress = endpoint({
  method: 'PUT',
  path: '/home/customer/addresses/:id/default',
  ...bookCall,
})
