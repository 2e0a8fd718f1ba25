import { persistentAtom } from '@nanostores/persistent'
import { batch } from 'nanostores'
import type { Session } from '#contract/auth.ts'
import { CHECKOUT_ADDRESS, CHECKOUT_ORDER, DRAFTS, dropFromTab } from '#lib/session-storage.ts'
import { AUTH_TOKEN, CUSTOMER_TOKEN, SAFARI_AUTH } from '#lib/accounts/storage.ts'
import { forgetMessages } from '../chat/unsent-messages.ts'
import { $orderId } from '../orders/order-id.ts'

export const $authToken = persistentAtom<string | undefined>(AUTH_TOKEN)
export const $customerToken = persistentAtom<string | undefined>(CUSTOMER_TOKEN)
export const $safariAuth = persistentAtom<string | undefined>(SAFARI_AUTH)

/** Keeps a session under the spec's keys; the two of the cookie fallback only when it is one. */
export function saveSession({ token, isSafari, cookieFallback }: Session): void {
  const isFallback = isSafari && cookieFallback
  batch(() => {
    $customerToken.set(token)
    $authToken.set(isFallback ? token : undefined)
    $safariAuth.set(isFallback ? 'true' : undefined)
  })
}

/**
 * The session has ended, on this browser in every tab. What its customer was typing waits in this tab until they are
 * signed in again; nobody else is shown it.
 */
export function endSession(): void {
  batch(() => {
    $authToken.set(undefined)
    $safariAuth.set(undefined)
    $customerToken.set(undefined)
  })
  $orderId.set(undefined)
}

/** The customer leaves: nothing of them stays, not even what they were typing. */
export function forgetSession(): void {
  endSession()
  for (const key of [CHECKOUT_ADDRESS, CHECKOUT_ORDER, DRAFTS]) dropFromTab(key)
  forgetMessages()
}
