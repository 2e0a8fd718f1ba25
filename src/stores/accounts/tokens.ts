import { persistentAtom } from '@nanostores/persistent'
import { batch } from 'nanostores'
import type { Session } from '#contract/session.ts'
import { CHECKOUT_ADDRESS, CHECKOUT_ORDER, DRAFTS, dropFromTab, SHIP_TO } from '#lib/session-storage.ts'
import { AUTH_TOKEN, CUSTOMER_TOKEN, RECENT_SEARCHES, RECENTLY_VIEWED, SAFARI_AUTH } from '#lib/accounts/storage.ts'
import { forgetUnsentMessages } from '../chat/unsent-messages.ts'
import { $orderId } from '../orders/order-id.ts'

export const $authToken = persistentAtom<string | undefined>(AUTH_TOKEN)
export const $customerToken = persistentAtom<string | undefined>(CUSTOMER_TOKEN)
export const $safariAuth = persistentAtom<string | undefined>(SAFARI_AUTH)

/** Stores a session's tokens; `authToken` and `isSafariAuth` only in the cookie fallback. */
export function saveSession({ token, isSafari, cookieFallback }: Session): void {
  const isFallback = isSafari && cookieFallback
  batch(() => {
    $customerToken.set(token)
    $authToken.set(isFallback ? token : undefined)
    $safariAuth.set(isFallback ? 'true' : undefined)
  })
}

/**
 * Removes the ended session from every tab of this browser. This tab keeps what the customer was typing until they sign
 * in again; other customers do not see it.
 */
export function endSession(): void {
  batch(() => {
    $authToken.set(undefined)
    $safariAuth.set(undefined)
    $customerToken.set(undefined)
  })
  $orderId.set(undefined)
}

/** Ends the session and deletes everything that the customer left in this browser, drafts included. */
export function forgetSession(): void {
  endSession()
  for (const key of [CHECKOUT_ADDRESS, CHECKOUT_ORDER, DRAFTS, SHIP_TO]) dropFromTab(key)
  forgetUnsentMessages()
  forgetHistory()
}

function forgetHistory(): void {
  try {
    for (const key of [RECENT_SEARCHES, RECENTLY_VIEWED]) localStorage.removeItem(key)
  } catch {
    // Storage is forbidden.
  }
}
