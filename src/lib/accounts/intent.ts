import type { Wish } from '#contract/wishlist.ts'
import { here, isAuthPage } from '../navigate.ts'
import { keepForTab, takeFromTab } from '../session-storage.ts'
import { readToken } from './storage.ts'

const KEY = 'intent'

/** What somebody clicked that only a customer can do: a visitor, or one whose session has ended. */
export type Intent =
  | { kind: 'addToCart'; productId: string; quantity: number }
  | ({ kind: 'addToWishlist' } & Wish)
  | { kind: 'changeQuantity'; lineId: string; by: number }

/** What a click on a card means; only a customer has something to take off the wishlist. */
export type CardAct = Intent | { kind: 'removeFromWishlist'; productId: string }

/** Keeps the click for when the visitor has signed in and is back on `page`; the last click counts. */
export function keepIntent(intent: Intent, page: string): void {
  keepForTab(KEY, { intent, page })
}

/** Does the click that waits for a customer on this page; what cannot be done yet goes on waiting. */
export function resumeIntent(act: (intent: Intent) => Promise<void>): void {
  const intent = takeIntent(location, readToken() !== null)
  if (!intent) return
  act(intent).catch((error: unknown) => {
    keepIntent(intent, here())
    throw error
  })
}

/**
 * The click that waits for a customer on `page`, once; null when none does. A click whose visitor went elsewhere is
 * given up, so that it never happens out of the blue; on the way through the login it goes on waiting.
 */
export function takeIntent(
  page: { pathname: string; search: string; origin: string },
  isSignedIn: boolean,
): Intent | null {
  if (isAuthPage(page.pathname)) return null
  const kept = takeFromTab(KEY) as { intent?: unknown; page?: unknown } | null
  if (!isSignedIn || !isIntent(kept?.intent)) return null
  const meant = new URL(String(kept.page), page.origin)
  return meant.pathname === page.pathname && meant.search === page.search ? kept.intent : null
}

function isIntent(value: unknown): value is Intent {
  const { kind, productId, quantity, lineId, by } = (value ?? {}) as Record<string, unknown>
  if (kind === 'changeQuantity') return typeof lineId === 'string' && Number.isSafeInteger(by)
  if (typeof productId !== 'string') return false
  return kind === 'addToWishlist' || (kind === 'addToCart' && Number.isSafeInteger(quantity))
}
