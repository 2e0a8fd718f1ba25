import type { TOAST_MS } from './constants.ts'
import { isStoredInTab, storeInTab, takeFromTab } from './session-storage.ts'

const KEY = 'flash'

/** A message to show on the next page. */
export interface Flash {
  kind: keyof typeof TOAST_MS
  text: string
}

/** Stores a message for the next page in this tab. A newer message replaces it. */
export function flash(kind: Flash['kind'], text: string): void {
  storeInTab(KEY, { kind, text })
}

/** Whether the previous page left a message. */
export function hasFlash(): boolean {
  return isStoredInTab(KEY)
}

/** Removes and returns the previous page's message. */
export function takeFlash(): Flash | null {
  return takeFromTab(KEY) as Flash | null
}
