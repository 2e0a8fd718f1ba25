import { atom } from 'nanostores'
import { ApiError } from '#lib/api.ts'
import { isLinkUsed, markLinkUsed, readLinkToken } from '#lib/accounts/link-token.ts'
import { client } from '../client.ts'
import { tellOtherTabs } from '../cross-tab-sync.ts'
import { $customer } from './session.ts'

/** `dead` is a link that has expired, was used already or is not complete. */
export type Confirmation = { state: 'confirming' | 'confirmed' } | { state: 'dead' | 'failed'; message: string }

const LINK_MISSING = 'This link is not complete'

/** How the link that led here fares. */
export const $confirmation = atom<Confirmation>({ state: 'confirming' })

/** Sends the token of the link that led here. */
export async function confirmEmail(): Promise<void> {
  const token = readLinkToken()
  if (isLinkUsed()) return $confirmation.set({ state: 'confirmed' })
  if (!token) return $confirmation.set({ state: 'dead', message: LINK_MISSING })
  $confirmation.set({ state: 'confirming' })
  try {
    await client.api.confirmEmail({ token })
    markLinkUsed()
    $confirmation.set({ state: 'confirmed' })
    tellOtherTabs('account')
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { status, message } = error
    if (status !== 400 && status !== 422) return $confirmation.set({ state: 'failed', message })
    // A customer who follows their link twice has nothing left to do.
    const isDone = $customer.get() !== null && (await isConfirmed().catch(() => false))
    $confirmation.set(isDone ? { state: 'confirmed' } : { state: 'dead', message })
  }
}

/** Asks for a letter with a new link. Returns what the provider says; throws `ApiError`. */
export async function sendConfirmation(): Promise<string> {
  const { message } = await client.api.sendConfirmation({})
  return message
}

async function isConfirmed(): Promise<boolean> {
  return (await client.api.getAccount({})).emailConfirmed !== false
}
