import { atom } from 'nanostores'
import type { ShippingForm } from '#contract/orders.ts'
import { ApiError } from '#lib/api.ts'
import { CHECKOUT_ADDRESS as KEY, dropFromTab, keepForTab, readFromTab } from '#lib/session-storage.ts'
import { client } from './client.ts'
import { $customer } from './session.ts'
import { startInBrowser } from './start.ts'
import { toast } from './toasts.ts'

export interface Address {
  form: ShippingForm
  /** The customer has said that this is where the order goes. */
  isConfirmed: boolean
  /** The form was filled in from the account. */
  isDefault: boolean
}

const BLANK: ShippingForm = {
  name: '',
  address: '',
  phone: '',
  post: '',
  province: '',
  city: '',
  area: '',
  country: '',
}
const NONE: Address = { form: BLANK, isConfirmed: false, isDefault: false }

/** Where the order goes, as far as it is filled in; kept in this tab until the order is placed. */
export const $address = atom<Address>(NONE)

/** Rises with each change: an account that was asked for before it comes too late. */
let changes = 0
/** The change that has asked for the account and has not heard of it yet. */
let copying: number | undefined

/** The default address with changes is the default address still; one that has not come yet is not waited for any more. */
export function editAddress(change: Partial<ShippingForm>): void {
  const { form, isDefault } = $address.get()
  keep({ form: { ...form, ...change }, isConfirmed: false, isDefault: isDefault && copying !== changes })
}

/** The customer has said that the order goes to this address, which is complete. */
export function confirmAddress(form: ShippingForm): void {
  keep({ ...$address.get(), form, isConfirmed: true })
}

/** Opens the form again. */
export function changeAddress(): void {
  keep({ ...$address.get(), isConfirmed: false })
}

/**
 * Copies the address of the account, or empties the form. A country that is not `allowed` is said; the form shows it all
 * the same, so that another one can be chosen. Who has saved no address keeps what the form says.
 */
export async function chooseDefaultAddress(isDefault: boolean, allowed: ReadonlySet<string>): Promise<void> {
  keep({ ...NONE, form: isDefault ? $address.get().form : BLANK, isDefault })
  if (!isDefault) return
  const asked = changes
  copying = asked
  try {
    const { shippingDetails } = await client.api.getAccount({})
    if (asked !== changes) return
    copying = undefined
    const { postal: post, ...rest } = shippingDetails
    const hasSaved = Object.values(shippingDetails).some(Boolean)
    keep(
      hasSaved ? { form: { ...rest, post }, isConfirmed: false, isDefault } : { ...$address.get(), isDefault: false },
    )
    if (!allowed.has(rest.country)) toast('error', 'Products cannot be shipped to your default location.')
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (asked !== changes) return
    keep({ ...$address.get(), isDefault: false })
    toast('error', 'Failed to fetch user details')
  }
}

/** The order is placed: the next one begins with an empty form. */
export function forgetAddress(): void {
  changes += 1
  $address.set(NONE)
  dropFromTab(KEY)
}

/** Shows what this tab keeps of the customer who is signed in, and of nobody else. */
export function restoreAddress(): void {
  const kept = readFromTab(KEY) as { customerId?: unknown; address?: Address } | null
  const isOwn = kept?.customerId !== undefined && kept.customerId === $customer.get()?.id
  $address.set(isOwn && kept.address ? { ...NONE, ...kept.address, form: { ...BLANK, ...kept.address.form } } : NONE)
}

function keep(address: Address): void {
  changes += 1
  $address.set(address)
  const customerId = $customer.get()?.id
  if (customerId) keepForTab(KEY, { customerId, address })
}

startInBrowser($address, () => $customer.subscribe(restoreAddress))
