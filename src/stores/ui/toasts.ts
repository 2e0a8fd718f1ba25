import { atom } from 'nanostores'
import { MAX_TOASTS, TOAST_MS } from '#lib/constants.ts'

export interface Toast {
  kind: keyof typeof TOAST_MS
  text: string
  /** Further text, on a line of its own. */
  details?: string
  /** Where the customer may want to go next. */
  link?: { text: string; href: string }
  /** The subject of the toast. It replaces an earlier toast about the same subject. */
  about?: string
  durationMs: number
}

/** Toasts that are not displayed yet, oldest first. */
export const $toasts = atom<Toast[]>([])

/**
 * Event on `window` when a toast is waiting; its `detail` is the text. The layout then loads the code that displays
 * toasts.
 */
export const TOAST_WAITS = 'toast-waits'

/** Shows a toast: 2 s for a success, 4 s for any other kind. */
export function toast(kind: Toast['kind'], text: string, more: Pick<Toast, 'details' | 'link' | 'about'> = {}): void {
  const next = { kind, text, ...more, durationMs: TOAST_MS[kind] }
  $toasts.set([...$toasts.get(), next].slice(-MAX_TOASTS))
  dispatchEvent(new CustomEvent(TOAST_WAITS, { detail: text }))
}

/** Returns the waiting toasts and removes them from the store. */
export function takeToasts(): Toast[] {
  const waiting = $toasts.get()
  if (waiting.length > 0) $toasts.set([])
  return waiting
}
