import { atom } from 'nanostores'
import type { ShippingForm } from '#contract/orders.ts'
import { ApiError } from '#lib/api.ts'
import { CHECKOUT_ADDRESS as KEY, dropFromTab, keepForTab, readFromTab } from '#lib/session-storage.ts'
import { client } from '../client.ts'
import { $customer } from './session.ts'
import { startInBrowser } from '../start.ts'
import { toast } from '../ui/toasts.ts'

export interface Address {
  form: ShippingForm
  /** The customer has said that this is where the order goes. */
  isConfirmed: boolean
  /** Whether the form is that of the account; `coming` while the account is asked for it. */
  fromAccount: 'no' | 'coming' | 'yes'
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
const NONE: Address = { form: BLANK, isConfirmed: false, fromAccount: 'no' }

/** Where the order goes, as far as it is filled in; kept in this tab until the order is placed. */
export const $address = atom<Address>(NONE)

/** Rises with each change: an account that was asked for before it comes too late. */
let changes = 0
let copying: Promise<void> | undefined

/** A changed address is no longer the account's; one that has not come yet is not waited for any more. */
export function editAddress(change: Partial<ShippingForm>): void {
  keep({ form: { ...$address.get().form, ...change }, isConfirmed: false, fromAccount: 'no' })
}

/** What the form says, once the default address that is on its way is in it, or could not be had. */
export async function settledForm(): Promise<ShippingForm> {
  if ($address.get().fromAccount === 'coming') await copying
  return $address.get().form
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
export async function chooseDefaultAddress(isWanted: boolean, allowed: ReadonlySet<string>): Promise<void> {
  if (!isWanted) return keep(NONE)
  keep({ ...NONE, form: $address.get().form, fromAccount: 'coming' })
  copying = copyFromAccount(allowed)
  await copying
}

async function copyFromAccount(allowed: ReadonlySet<string>): Promise<void> {
  const asked = changes
  try {
    const { shippingDetails } = await client.api.getAccount({})
    if (asked !== changes) return
    const { postal: post, ...rest } = shippingDetails
    const hasSaved = Object.values(shippingDetails).some(Boolean)
    const form = hasSaved ? { ...rest, post } : $address.get().form
    keep({ form, isConfirmed: false, fromAccount: hasSaved ? 'yes' : 'no' })
    if (!allowed.has(rest.country)) toast('error', 'Products cannot be shipped to your default location.')
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (asked !== changes) return
    keep({ ...$address.get(), fromAccount: 'no' })
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
  changes += 1
  $address.set(isOwn && kept.address ? withoutAsking(kept.address) : NONE)
}

/** A page that was loaded again does not ask for the account any more. */
function withoutAsking(kept: Address): Address {
  return { ...NONE, ...kept, form: { ...BLANK, ...kept.form }, fromAccount: kept.fromAccount === 'yes' ? 'yes' : 'no' }
}

function keep(address: Address): void {
  changes += 1
  $address.set(address)
  const customerId = $customer.get()?.id
  if (customerId) keepForTab(KEY, { customerId, address })
}

startInBrowser($address, () => $customer.subscribe(restoreAddress))
