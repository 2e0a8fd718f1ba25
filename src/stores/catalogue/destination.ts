import { atom } from 'nanostores'
import { ApiError } from '#lib/api.ts'
import { client } from '../client.ts'
import { followChanges } from '../cross-tab-sync.ts'
import { $customer } from '../accounts/session.ts'
import { startInBrowser } from '../start.ts'

/**
 * The country of the customer's saved address or account: '' if none is saved, null if the account could not be loaded,
 * undefined until it has loaded.
 */
export const $destination = atom<string | null | undefined>(undefined)

async function loadDestination(): Promise<void> {
  const customer = $customer.get()
  if (!customer) return
  const known = await ask().catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    // Storefront pages do not report failures to load the account.
    return $destination.get() ?? null
  })
  if ($customer.get() === customer) $destination.set(known)
}

async function ask(): Promise<string> {
  const { country, shippingDetails } = await client.api.getAccount({})
  return shippingDetails.country || country
}

startInBrowser($destination, () => {
  const stopSession = $customer.subscribe(() => {
    $destination.set(undefined)
    void loadDestination()
  })
  const stopNews = followChanges('account', () => void loadDestination())
  return () => {
    stopSession()
    stopNews()
  }
})
