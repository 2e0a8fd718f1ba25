import { persistentMap } from '@nanostores/persistent'
import type { About } from '#contract/chat.ts'
import { UNSENT_PREFIX } from '#lib/constants.ts'

/** A message that the provider has not confirmed. With `problem`, it was rejected and the customer must decide. */
export interface Outgoing {
  clientId: string
  userId: string
  sellerId: string
  text: string
  about?: About
  /** ISO 8601. */
  at: string
  problem?: string
}

/**
 * Unsent messages of all customers of this browser. Persisted across reloads and shared by all tabs. Each message has
 * its own storage key, so that tabs that write at the same time lose nothing.
 */
export const $unsentMessages = persistentMap<Record<string, Outgoing | undefined>>(
  UNSENT_PREFIX,
  {},
  { encode: JSON.stringify, decode },
)

/** Deletes all unsent messages from this browser. */
export function forgetUnsentMessages(): void {
  // The map loads its stored values only while it has a listener.
  const stop = $unsentMessages.listen(() => undefined)
  $unsentMessages.set({})
  stop()
}

function decode(stored: string): Outgoing | undefined {
  try {
    return JSON.parse(stored) as Outgoing
  } catch {
    // Not written by this code.
    return undefined
  }
}
