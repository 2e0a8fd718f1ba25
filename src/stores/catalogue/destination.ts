import { atom } from 'nanostores'
import { ApiError } from '#lib/api.ts'
import { client } from '../client.ts'
import { followChanges } from '../cross-tab-sync.ts'
import { $customer } from '../accounts/session.ts'
import { startInBrowser } from '../start.ts'

/**
 * Where the customer's parcels go, as far as the account says: '' when it does not, null when it could not be asked,
 * undefined before it has answered.
 */
export const $destination = atom<string | null | undefined>(undefined)

async function loadDestination(): Promise<void> {
  const customer = $customer.get()
  if (!customer) return
  const known = await ask().catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    // Spec section 8: failures of the account on the storefront are ignored.
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
