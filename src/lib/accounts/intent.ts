import type { Wish } from '#contract/wishlist.ts'
import { here, isAuthPage } from '../navigate.ts'
import { storeInTab, readFromTab, takeFromTab } from '../session-storage.ts'
import { readToken } from './storage.ts'

/** Key of the action in this tab's storage. */
export const INTENT = 'intent'

/** An action that needs a login, clicked by a visitor or after the session ended. */
export type Intent =
  /** `name` is the product's name, so that the login can say what it is for. */
  | {
      kind: 'addToCart'
      productId: string
      quantity: number
      variantId?: string | undefined
      name?: string | undefined
    }
  | ({ kind: 'addToWishlist' } & Wish)
  | { kind: 'tellWhenBack'; productId: string; variantId?: string | undefined; name: string }
  | { kind: 'changeQuantity'; lineId: string; by: number }
  | { kind: 'setQuantity'; lineId: string; quantity: number }
  /** Marks a review as helpful. */
  | { kind: 'voteReview'; reviewId: string }

/** An action of a product card. Only customers can remove something from the wishlist. */
export type CardAct = Intent | { kind: 'removeFromWishlist'; productId: string }

export interface StoredIntent {
  intent: Intent
  page: string
  /** How far down the page was scrolled. */
  top: number
  /** The customer whose session had ended; visitors' actions have none. */
  customerId?: string | undefined
}

/**
 * Stores the action, and how far the page is scrolled, until the visitor has signed in and is back on `page`. A newer
 * action replaces it.
 */
export function storeIntent(intent: Intent, page: string, customerId?: string): void {
  storeInTab(INTENT, { intent, page, top: scrollY, customerId })
}

/** Runs the action stored for this page, where the page was left. If it fails, stores it again and rejects. */
export async function resumeIntent(act: (intent: Intent) => Promise<void>): Promise<void> {
  const stored = takeIntent(location, readToken() !== null)
  if (!stored) return
  const { intent, customerId } = stored
  scrollTo(0, stored.top)
  try {
    await act(intent)
  } catch (error) {
    storeIntent(intent, here(), customerId)
    throw error
  }
}

/** The action that is to run on `page` after the login; null if there is none. */
export function peekIntent(page: string): Intent | null {
  const stored = readFromTab(INTENT) as { intent?: unknown; page?: unknown } | null
  return stored?.page === page && isIntent(stored.intent) ? stored.intent : null
}

/**
 * Removes and returns the action stored for `page`; null if there is none. An action stored for another page is
 * dropped, so that it does not happen unexpectedly later; login pages leave it stored.
 */
export function takeIntent(
  page: { pathname: string; search: string; origin: string },
  isSignedIn: boolean,
): StoredIntent | null {
  if (isAuthPage(page.pathname)) return null
  const stored = takeFromTab(INTENT) as StoredIntent | null
  if (!isSignedIn || !isIntent(stored?.intent)) return null
  const meant = new URL(stored.page, page.origin)
  return meant.pathname === page.pathname && meant.search === page.search ? stored : null
}

function isIntent(value: unknown): value is Intent {
  const { kind, productId, quantity, lineId, by, reviewId } = (value ?? {}) as Record<string, unknown>
  if (kind === 'changeQuantity') return typeof lineId === 'string' && Number.isSafeInteger(by)
  if (kind === 'setQuantity') return typeof lineId === 'string' && Number.isSafeInteger(quantity)
  if (kind === 'voteReview') return typeof reviewId === 'string'
  if (typeof productId !== 'string') return false
  return kind === 'addToWishlist' || kind === 'tellWhenBack' || (kind === 'addToCart' && Number.isSafeInteger(quantity))
}
