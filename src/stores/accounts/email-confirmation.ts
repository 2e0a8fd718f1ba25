import { atom } from 'nanostores'
import { ApiError } from '#lib/api.ts'
import { isDeadLink, isLinkUsed, LINK_MISSING, markLinkUsed, readLinkToken } from '#lib/accounts/link-token.ts'
import { client } from '../client.ts'
import { notifyOtherTabs } from '../cross-tab-sync.ts'
import { renewSession } from './renew-session.ts'
import { $customer } from './session.ts'

/**
 * `dead`: the link has expired, was already used or is incomplete. `known`: the same, but the account's address is
 * confirmed; that may be another address than the link's.
 */
export type Confirmation =
  | { state: 'confirming' | 'confirmed' }
  | { state: 'known'; email: string; message: string }
  | { state: 'dead' | 'failed'; message: string }

/** Progress of the confirmation link that opened this page. */
export const $confirmation = atom<Confirmation>({ state: 'confirming' })

/** Sends the token of the confirmation link that opened this page. */
export async function confirmEmail(): Promise<void> {
  const token = readLinkToken()
  if (isLinkUsed()) return $confirmation.set({ state: 'confirmed' })
  if (!token) return $confirmation.set({ state: 'dead', message: LINK_MISSING })
  $confirmation.set({ state: 'confirming' })
  try {
    await client.api.confirmEmail({ token })
    markLinkUsed()
    // If the link has changed the account's address, the token still has the old one.
    if ($customer.get()) await renewSession()
    $confirmation.set({ state: 'confirmed' })
    notifyOtherTabs('account')
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { message } = error
    if (!isDeadLink(error)) return $confirmation.set({ state: 'failed', message })
    // A link also fails on its second use.
    const email = $customer.get() && (await confirmedEmail().catch(() => null))
    $confirmation.set(email ? { state: 'known', email, message } : { state: 'dead', message })
  }
}

/** Requests an email with a new link. Returns the provider's message; throws `ApiError`. */
export async function sendConfirmation(): Promise<string> {
  const { message } = await client.api.sendConfirmation({})
  return message
}

/** The account's address; null if it is not confirmed. */
async function confirmedEmail(): Promise<string | null> {
  const [{ emailConfirmed }, { email }] = await Promise.all([client.api.getAccount({}), client.api.getProfile({})])
  return emailConfirmed === false ? null : email
}
