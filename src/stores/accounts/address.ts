import { atom } from 'nanostores'
import type { Account, BookAddress } from '#contract/account.ts'
import { EMPTY_SHIPPING_FORM, type ShippingForm } from '#contract/orders.ts'
import { ApiError } from '#lib/api.ts'
import { isSameAddress } from '#lib/accounts/same-address.ts'
import { CHECKOUT_ADDRESS as KEY, dropFromTab, isStoredInTab, storeInTab, readFromTab } from '#lib/session-storage.ts'
import { $visitorCountry, countryOrGuess, readShipTo } from '../cart/ship-to.ts'
import { client } from '../client.ts'
import { followChanges } from '../cross-tab-sync.ts'
import { accountPart } from '../customer-data.ts'
import { $book } from './address-book.ts'
import { $customer } from './session.ts'
import { startInBrowser } from '../start.ts'
import { toast } from '../ui/toasts.ts'

export interface Address {
  form: ShippingForm
  /** The customer has confirmed that the order goes to this address. */
  isConfirmed: boolean
  /** Whether the form holds the account's address; `coming` while the account is loading. */
  fromAccount: 'no' | 'coming' | 'yes'
  /** The saved address that filled in the form, as it was then. Absent once the customer has edited the form. */
  source?: Account['shippingDetails']
}

const NONE: Address = { form: EMPTY_SHIPPING_FORM, isConfirmed: false, fromAccount: 'no' }

/** The checkout's shipping address, possibly incomplete. Stored in this tab until the order is placed. */
export const $address = atom<Address>(NONE)

interface SavedAddress {
  details: Account['shippingDetails']
  /** If the address is incomplete, the checkout offers no default address. */
  isComplete: boolean
  /** The customer's country, known even without an address. */
  country: string
}

const [$saved, loadSaved] = accountPart<SavedAddress | null>(
  ({ shippingDetails: details, country }) => ({
    details,
    isComplete: Object.values(details).every(Boolean),
    country: details.country || country,
  }),
  null,
)

/** The account's address; null if the account could not be loaded, undefined until it has loaded. */
export const $savedAddress = $saved

/** Incremented by each change, so that an account response requested before it is discarded. */
let changes = 0
let copying: Promise<void> | undefined
/** The address that was filled in automatically, and its source. The form was edited once it holds another object. */
let prefilled = { address: NONE, from: '' }

/** Edits the address. It no longer counts as the account's, and an account address still loading is discarded. */
export function editAddress(change: Partial<ShippingForm>): void {
  storeAddress({ form: { ...$address.get().form, ...change }, isConfirmed: false, fromAccount: 'no' })
}

/** Returns the form. If the account's address is still loading, waits until it has loaded or failed. */
export async function settledForm(): Promise<ShippingForm> {
  if ($address.get().fromAccount === 'coming') await copying
  return $address.get().form
}

/** Marks this complete address as the order's confirmed address. */
export function confirmAddress(form: ShippingForm): void {
  storeAddress({ ...$address.get(), form, isConfirmed: true })
}

/** Reopens the form for editing. */
export function changeAddress(): void {
  storeAddress({ ...$address.get(), isConfirmed: false })
}

/**
 * Copies the account's address into the form, or empties the form if not `isWanted`. If the country is not `allowed`, a
 * toast says so, but the form is still filled. If the account has no address, the form keeps its contents.
 */
export async function chooseDefaultAddress(isWanted: boolean, allowed: ReadonlySet<string>): Promise<void> {
  if (!isWanted) return storeAddress(NONE)
  storeAddress({ ...NONE, form: $address.get().form, fromAccount: 'coming' })
  copying = copyFromAccount(allowed)
  await copying
}

async function copyFromAccount(allowed: ReadonlySet<string>): Promise<void> {
  const asked = changes
  try {
    const { shippingDetails } = await client.api.getAccount({})
    if (asked !== changes) return
    const hasSaved = Object.values(shippingDetails).some(Boolean)
    if (hasSaved) chooseAddress(shippingDetails, true)
    else storeAddress({ ...$address.get(), fromAccount: 'no' })
    if (!allowed.has(shippingDetails.country)) toast('error', 'Products cannot be shipped to your default location.')
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (asked !== changes) return
    storeAddress({ ...$address.get(), fromAccount: 'no' })
    toast('error', 'Failed to fetch user details')
  }
}

/** Fills in an address of the customer's book. */
export function chooseAddress(details: Account['shippingDetails'], isDefault: boolean): void {
  storeAddress(copyOf(details, isDefault))
}

function copyOf(source: Account['shippingDetails'], isDefault: boolean): Address {
  const { postal: post, ...rest } = source
  return { form: { ...rest, post }, isConfirmed: false, fromAccount: isDefault ? 'yes' : 'no', source }
}

/** The entry of the book that filled in the form; undefined if the form or the entry has changed since. */
export function entryInForm(book: readonly BookAddress[], { source }: Address): BookAddress | undefined {
  return book.find(({ shippingDetails }) => isSameAddress(shippingDetails, source))
}

/**
 * Reopens the form if the book's entry that filled it in was changed or removed. Ignores an empty book, which may have
 * failed to load.
 */
function checkEntry(book: readonly BookAddress[] | undefined): void {
  const address = $address.get()
  const isEntry = address.source && address.fromAccount === 'no'
  if (isEntry && book?.length && !entryInForm(book, address)) editAddress({})
}

/**
 * Fills in the form of a new checkout with the saved address, else with that of the last order, else with only the
 * country that the cart showed. If the customer has replaced the default address in the form, even a confirmed one, it
 * starts again.
 */
function prefill(saved: SavedAddress | null | undefined): void {
  if (!saved) return
  const { fromAccount, source } = $address.get()
  if (fromAccount === 'yes' && !isSameAddress(saved.details, source)) forgetAddress()
  if (isStoredInTab(KEY) || $address.get() !== prefilled.address) return
  const chosen = readShipTo()
  const country = chosen ?? countryOrGuess(saved.country)
  const from = JSON.stringify([saved, country])
  if (from === prefilled.from) return
  if (saved.isComplete) return fillIn(copyOf(saved.details, true), from)
  fillIn({ ...NONE, form: { ...EMPTY_SHIPPING_FORM, country } }, from)
  void fillFromLastOrder(chosen)
}

/** Not stored in this tab, so that the form still follows the account until the customer edits it. */
function fillIn(address: Address, from = ''): void {
  changes += 1
  prefilled = { address, from }
  $address.set(address)
}

/** Unless the customer has edited the form by then, or has chosen another country in the cart. */
async function fillFromLastOrder(chosenCountry: string | undefined): Promise<void> {
  const asked = changes
  const userId = $customer.get()?.id
  if (!userId) return
  try {
    const [last] = (await client.api.getDashboard({ userId })).recentOrders
    if (!last) return
    const { shippingInfo } = (await client.api.getOrder({ orderId: last._id })).order
    if (asked !== changes || (chosenCountry ?? shippingInfo.country) !== shippingInfo.country) return
    fillIn({ form: shippingInfo, isConfirmed: false, fromAccount: 'no' }, prefilled.from)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}

/** Clears the address after an order. */
export function forgetAddress(): void {
  fillIn(NONE)
  dropFromTab(KEY)
}

/** Loads the address stored in this tab, if it belongs to the signed-in customer. */
export function restoreAddress(): void {
  const stored = readFromTab(KEY) as { customerId?: unknown; address?: Address } | null
  const isOwn = stored?.customerId !== undefined && stored.customerId === $customer.get()?.id
  fillIn(isOwn && stored.address ? withoutPendingLoad(stored.address) : NONE)
}

/** A reloaded page does not continue loading the account's address. */
function withoutPendingLoad(stored: Address): Address {
  return {
    ...NONE,
    ...stored,
    form: { ...EMPTY_SHIPPING_FORM, ...stored.form },
    fromAccount: stored.fromAccount === 'yes' ? 'yes' : 'no',
  }
}

function storeAddress(address: Address): void {
  changes += 1
  $address.set(address)
  const customerId = $customer.get()?.id
  if (customerId) storeInTab(KEY, { customerId, address })
}

startInBrowser($address, () => [
  $customer.subscribe(restoreAddress),
  $savedAddress.subscribe(prefill),
  $book.subscribe(checkEntry),
  $visitorCountry.listen(() => prefill($savedAddress.get())),
  followChanges('account', () => void loadSaved()),
])
