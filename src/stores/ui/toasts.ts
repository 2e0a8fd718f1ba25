import { atom } from 'nanostores'
import { MAX_TOASTS, TOAST_MS } from '#lib/constants.ts'

export interface Toast {
  kind: keyof typeof TOAST_MS
  text: string
  /** More about it, in a line of its own. */
  details?: string
  durationMs: number
}

/** What was said and is not shown yet, oldest first. */
export const $toasts = atom<Toast[]>([])

/** The window hears this when the first toast waits; the layout answers by fetching what draws toasts. */
export const TOAST_WAITS = 'toast-waits'

/** Says something for a moment: 2 s for a success, 4 s for everything else. */
export function toast(kind: Toast['kind'], text: string, details?: string): void {
  const next = { kind, text, ...(details && { details }), durationMs: TOAST_MS[kind] }
  $toasts.set([...$toasts.get(), next].slice(-MAX_TOASTS))
  dispatchEvent(new Event(TOAST_WAITS))
}

/** What waits to be shown, once. */
export function takeToasts(): Toast[] {
  const waiting = $toasts.get()
  if (waiting.length > 0) $toasts.set([])
  return waiting
}
