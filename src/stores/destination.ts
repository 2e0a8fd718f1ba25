import { atom } from 'nanostores'
import { ApiError } from '#lib/api.ts'
import { client } from './client.ts'
import { followChanges } from './news.ts'
import { $customer } from './session.ts'
import { startInBrowser } from './start.ts'

/**
 * Where the customer's parcels go, as far as the account says: '' when it does not, null when it could not be asked,
 * undefined before it has answered.
 */
export const $destination = atom<string | null | undefined>(undefined)

async function loadDestination(): Promise<void> {
  if (!$customer.get()) return $destination.set(undefined)
  try {
    const { country, shippingDetails } = await client.api.getAccount({})
    $destination.set(shippingDetails.country || country)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // Spec section 8: failures of the account on the storefront are ignored.
    $destination.set($destination.get() ?? null)
  }
}

startInBrowser($destination, () => {
  const stopSession = $customer.subscribe(() => void loadDestination())
  const stopNews = followChanges('account', () => void loadDestination())
  return () => {
    stopSession()
    stopNews()
  }
})
