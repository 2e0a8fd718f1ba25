import { atom } from 'nanostores'
import type { TrackedOrder } from '#contract/parcels.ts'
import { isDeadLink, LINK_MISSING, readLinkToken } from '#lib/accounts/link-token.ts'
import { ApiError } from '#lib/api.ts'
import { client } from '../client.ts'
import { followChanges } from '../cross-tab-sync.ts'
import { startInBrowser } from '../start.ts'
import { showOutcome } from '../ui/outcome.ts'

/** `dead`: the link is expired, invalidated or incomplete. */
export type Tracking =
  { state: 'loading' } | { state: 'ready'; order: TrackedOrder } | { state: 'dead' | 'failed'; message: string }

/** The order of the mailed link that opened this page. */
export const $tracking = atom<Tracking>({ state: 'loading' })

/** Loads the order of the mailed link that opened this page. If reloading fails, keeps what is shown. */
export async function trackOrder(): Promise<void> {
  const token = readLinkToken()
  if (!token) return $tracking.set({ state: 'dead', message: LINK_MISSING })
  try {
    $tracking.set({ state: 'ready', order: await client.api.trackOrder({ token }) })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const state = isDeadLink(error) ? 'dead' : 'failed'
    if (state === 'failed' && $tracking.get().state === 'ready') return
    $tracking.set({ state, message: error.message })
  }
}

/** Invalidates the links in all mails about an order that were sent so far; a toast shows the outcome. */
export async function endTracking(orderId: string): Promise<void> {
  await showOutcome(() => client.api.endTracking({ orderId }))
}

startInBrowser($tracking, () => [followChanges('orders', () => void trackOrder())])
