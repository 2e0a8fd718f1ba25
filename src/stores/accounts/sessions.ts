import { atom } from 'nanostores'
import type { CustomerSession } from '#contract/profile.ts'
import { client } from '../client.ts'
import { followChanges } from '../cross-tab-sync.ts'
import { clear, type Load, loadInto } from '../load.ts'
import { startInBrowser } from '../start.ts'
import { toast } from '../ui/toasts.ts'
import { $customerId } from './session.ts'

/** The browsers in which the customer is signed in, this one first. */
export const $sessions = atom<Load<CustomerSession[]>>({ state: 'loading' })

/** Loads the sessions. Failures are shown through `$sessions`. */
export async function loadSessions(): Promise<void> {
  if ($customerId.get()) await loadInto($sessions, async () => (await client.api.getSessions({})).sessions)
}

/** Ends the customer's session with this id. Throws `ApiError`. */
export async function endSession(sessionId: string): Promise<void> {
  await reportAndReload((await client.api.endSession({ sessionId })).message)
}

/** Ends all sessions except this browser's. Throws `ApiError`. */
export async function endOtherSessions(): Promise<void> {
  await reportAndReload((await client.api.endOtherSessions({})).message)
}

async function reportAndReload(message: string): Promise<void> {
  toast('success', message)
  await loadSessions()
}

startInBrowser($sessions, () => [
  $customerId.subscribe(() => {
    clear($sessions)
    void loadSessions()
  }),
  followChanges('account', () => void loadSessions()),
])
