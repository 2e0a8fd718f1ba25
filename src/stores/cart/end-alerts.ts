import { atom } from 'nanostores'
import { isDeadLink, LINK_MISSING, readLinkToken } from '#lib/accounts/link-token.ts'
import { ApiError } from '#lib/api.ts'
import { client } from '../client.ts'
import { notifyOtherTabs } from '../cross-tab-sync.ts'

/** `dead`: the link has expired or is incomplete, so that trying again would not help. */
export type Ending = { state: 'ending' | 'ended' } | { state: 'dead' | 'failed'; message: string }

/** Progress of the link that ends a customer's alerts and that opened this page. */
export const $ending = atom<Ending>({ state: 'ending' })

/** Ends all alerts of the customer whose mail had the link. */
export async function endAlerts(): Promise<void> {
  const token = readLinkToken()
  if (!token) return $ending.set({ state: 'dead', message: LINK_MISSING })
  $ending.set({ state: 'ending' })
  try {
    await client.api.endAlerts({ token })
    $ending.set({ state: 'ended' })
    notifyOtherTabs('alerts')
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    $ending.set({ state: isDeadLink(error) ? 'dead' : 'failed', message: error.message })
  }
}
