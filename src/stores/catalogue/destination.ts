import { accountPart } from '../accounts/account-part.ts'
import { followChanges } from '../cross-tab-sync.ts'
import { startInBrowser } from '../start.ts'

/**
 * The country of the customer's saved address or account: '' if none is saved, null if the account could not be loaded,
 * undefined until it has loaded.
 */
export const [$destination, loadDestination] = accountPart<string | null>(
  ({ country, shippingDetails }) => shippingDetails.country || country,
  null,
)

startInBrowser($destination, () => [followChanges('account', () => void loadDestination())])
