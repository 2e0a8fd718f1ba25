import { onMount, type Store } from 'nanostores'

/**
 * Runs `start` for the store's first listener and the function it returns after the last one has gone. Only in the
 * browser: rendering an island on the server mounts its stores too.
 */
export function startInBrowser(store: Store, start: () => (() => void) | void): void {
  onMount(store, () => (typeof document === 'undefined' ? undefined : start()))
}
