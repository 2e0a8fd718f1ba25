import { persistentMap } from '@nanostores/persistent'
import { OUTBOX_PREFIX } from '#lib/chat/unsent-messages.ts'

/** A message that the provider has not confirmed; with a `problem` it was refused and waits for the customer. */
export interface Outgoing {
  clientId: string
  userId: string
  sellerId: string
  text: string
  /** ISO. */
  at: string
  problem?: string
}

/**
 * What is on its way, whoever wrote it; kept across reloads and shared by all tabs, each message for itself: tabs that
 * write at once lose nothing.
 */
export const $keptMessages = persistentMap<Record<string, Outgoing | undefined>>(
  OUTBOX_PREFIX,
  {},
  { encode: JSON.stringify, decode },
)

/** Nothing of what was to be sent stays on this browser. */
export function forgetMessages(): void {
  // What is stored is read when somebody listens.
  const stop = $keptMessages.listen(() => undefined)
  $keptMessages.set({})
  stop()
}

function decode(kept: string): Outgoing | undefined {
  try {
    return JSON.parse(kept) as Outgoing
  } catch {
    // Not written by us.
    return undefined
  }
}
