import { onMount, type Store } from 'nanostores'

/**
 * Runs `start` for the store's first listener and the functions it returns after the last one has gone. Only in the
 * browser: rendering an island on the server mounts its stores too.
 */
export function startInBrowser(store: Store, start: () => (() => void)[]): void {
  onMount(store, () => {
    if (typeof document === 'undefined') return undefined
    const stops = start()
    return () => {
      for (const stop of stops) stop()
    }
  })
}
