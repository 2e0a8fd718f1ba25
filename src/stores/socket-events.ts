import { atom } from 'nanostores'
import type { CustomerEvents } from '#contract/realtime.ts'

type Listener = (payload: never) => void

/**
 * Whether the socket is connected. Stores reload once it connects again; polling (`keepFresh`) does not depend on it.
 */
export const $isConnected = atom(false)

const listeners = new Map<string, Set<Listener>>()

/** Calls `listener` with the payload of each `event`, once there is a socket. Returns a function that stops it. */
export function onEvent<E extends keyof CustomerEvents>(
  event: E,
  listener: (payload: CustomerEvents[E]) => void,
): () => void {
  const known = listeners.get(event) ?? new Set()
  listeners.set(event, known.add(listener))
  return () => void known.delete(listener)
}

/** Passes an event with its decoded payload to its listeners. */
export function emit(event: string, payload: unknown): void {
  for (const listener of listeners.get(event) ?? []) listener(payload as never)
}
