import { atom } from 'nanostores'
import { isDeadLink, LINK_MISSING, readLinkToken } from '#lib/accounts/link-token.ts'
import { ApiError } from '#lib/api.ts'
import { client } from '../client.ts'
import { notifyOtherTabs } from '../cross-tab-sync.ts'

/** `dead`: the link has expired or is incomplete, so that trying again would not help. */
export type Ending = { state: 'ending' } | { state: 'ended' | 'dead' | 'failed'; message: string }

/** Progress of the mailed link that opened this page, and ends a customer's alerts or requests for reviews. */
export const $ending = atom<Ending>({ state: 'ending' })

/** Ends what the mail with the link was about: all alerts of its customer, or requests for reviews. */
export async function endAlerts(): Promise<void> {
  const token = readLinkToken()
  if (!token) return $ending.set({ state: 'dead', message: LINK_MISSING })
  $ending.set({ state: 'ending' })
  try {
    const { message } = await client.api.endAlerts({ token })
    $ending.set({ state: 'ended', message })
    notifyOtherTabs('alerts')
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    $ending.set({ state: isDeadLink(error) ? 'dead' : 'failed', message: error.message })
  }
}
