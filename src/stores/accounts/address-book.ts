import { atom } from 'nanostores'
import type { BookAddress, BookForm } from '#contract/account.ts'
import { ApiError } from '#lib/api.ts'
import { client } from '../client.ts'
import { followChanges, notifyOtherTabs } from '../cross-tab-sync.ts'
import { responsesInOrder } from '../responses-in-order.ts'
import { startInBrowser } from '../start.ts'
import { toast } from '../ui/toasts.ts'
import { loadAccount } from './account.ts'
import { $customerId } from './session.ts'

/** The customer's addresses, the default one first; undefined until loaded, empty where the provider has no book. */
export const $book = atom<BookAddress[] | undefined>(undefined)

const startLoad = responsesInOrder()

/** Loads the addresses; keeps those that are loaded if that fails. */
export async function loadBook(): Promise<void> {
  const customerId = $customerId.get()
  if (!customerId) return
  const isNewest = startLoad()
  try {
    const { addresses } = await client.api.getAddresses({})
    if ($customerId.get() === customerId && isNewest()) $book.set(addresses)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if ($customerId.get() === customerId && !$book.get()) $book.set([])
  }
}

/** Adds an address. Throws `ApiError`, like the other changes. */
export function addAddress(form: BookForm): Promise<void> {
  return changeBook(() => client.api.addAddress(form))
}

export function changeAddress(form: BookForm & { addressId: string }): Promise<void> {
  return changeBook(() => client.api.changeAddress(form))
}

export function removeAddress(addressId: string): Promise<void> {
  return changeBook(() => client.api.removeAddress({ addressId }))
}

export function makeDefaultAddress(addressId: string): Promise<void> {
  return changeBook(() => client.api.makeDefaultAddress({ addressId }))
}

async function changeBook(send: () => Promise<{ message: string }>): Promise<void> {
  const before = defaultAddress()
  const load = async () => {
    notifyOtherTabs('addresses')
    notifyOtherTabs('account')
    await loadBook()
    // The account form shows the default address too.
    if (defaultAddress() !== before) await loadAccount()
  }
  try {
    const { message } = await send()
    toast('success', message)
  } catch (error) {
    // The change may have been made, and only its response lost.
    void load()
    throw error
  }
  await load()
}

function defaultAddress(): string {
  return JSON.stringify($book.get()?.find(({ isDefault }) => isDefault)?.shippingDetails)
}

startInBrowser($book, () => [
  // Not at a renewed session of the same customer: the page would show a skeleton for a moment, and lose the focus.
  $customerId.subscribe(() => {
    $book.set(undefined)
    void loadBook()
  }),
  followChanges('addresses', () => void loadBook()),
  followChanges('account', () => void loadBook()),
])
