import type { TOAST_MS } from './constants.ts'
import { isKeptForTab, keepForTab, takeFromTab } from './session-storage.ts'

const KEY = 'flash'

/** A message for the page that comes next. */
export interface Flash {
  kind: keyof typeof TOAST_MS
  text: string
}

/** Keeps a message for the next page of this tab to show; the last one counts. */
export function flash(kind: Flash['kind'], text: string): void {
  keepForTab(KEY, { kind, text })
}

/** Whether a message waits for this page. */
export function hasFlash(): boolean {
  return isKeptForTab(KEY)
}

/** The message that the page before left, once. */
export function takeFlash(): Flash | null {
  return takeFromTab(KEY) as Flash | null
}
