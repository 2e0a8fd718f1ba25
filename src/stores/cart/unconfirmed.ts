import type { CartLine } from '#contract/cart.ts'
import { ApiError } from '#lib/api.ts'

/** Changes of a line's quantity that the provider has not confirmed. A typed quantity is sent before the steps. */
export interface Unconfirmed {
  /** With the last confirmed quantity. */
  typed?: { quantity: number; confirmed: number } | undefined
  /** Single units, positive for more and negative for fewer; each is one request. */
  steps: number
  /** The step that is being sent; it counts as one of `steps` until it is confirmed. */
  sentStep: 1 | 0 | -1
}

export const unconfirmedByLine = new Map<string, Unconfirmed>()

export function unconfirmedOf(lineId: string): Unconfirmed {
  const change = unconfirmedByLine.get(lineId) ?? { steps: 0, sentStep: 0 }
  unconfirmedByLine.set(lineId, change)
  return change
}

/** The quantity that the provider has, of a line as it is shown. */
export function confirmedQuantity({ _id, quantity }: CartLine): number {
  const { typed, steps } = unconfirmedOf(_id)
  return typed?.confirmed ?? quantity - steps
}

export function nextChange(): [lineId: string, Unconfirmed] | undefined {
  const changes = [...unconfirmedByLine]
  return changes.find(([, { typed }]) => typed) ?? changes.find(([, { steps }]) => steps !== 0)
}

/** False if the line was removed while the change was being sent. */
export function isCurrent(lineId: string, change: Unconfirmed): boolean {
  return unconfirmedByLine.get(lineId) === change
}

/**
 * Whether a request failed without a response. Leaving the page fails its requests so before `pagehide`, and the browser
 * handles that between the listeners: the cart's `sendRest` must run before anything
 * is taken back.
 */
export function isLost(error: unknown): boolean {
  return error instanceof ApiError && error.isSilent
}

export function nextTask(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve))
}
