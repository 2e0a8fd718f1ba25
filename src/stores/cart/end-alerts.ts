import { client } from '../client.ts'
import { tellOtherTabs } from '../cross-tab-sync.ts'

/** Ends all alerts of the customer whose mail had this token. Throws `ApiError`. */
export async function endAlerts(token: string): Promise<void> {
  await client.api.endAlerts({ token })
  tellOtherTabs('alerts')
}
