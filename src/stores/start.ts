import { onMount, type Store } from 'nanostores'

/**
 * Runs `start` when the first listener comes and what it answers after the last has gone, in the browser only: rendering
 * an island on the server mounts its stores as well.
 */
export function startInBrowser(store: Store, start: () => (() => void) | void): void {
  onMount(store, () => (typeof document === 'undefined' ? undefined : start()))
}
