import { followChanges } from '../cross-tab-sync.ts'
import { accountPart } from '../customer-data.ts'
import { startInBrowser } from '../start.ts'

const [$country, loadCountry] = accountPart<string | null>(
  ({ country, shippingDetails }) => shippingDetails.country || country,
  null,
)

/**
 * The country of the customer's saved address or account: '' if none is saved, null if the account could not be loaded,
 * undefined until it has loaded.
 */
export const $destination = $country

startInBrowser($destination, () => [followChanges('account', () => void loadCountry())])
