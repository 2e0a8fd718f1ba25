import { onMount, type Store } from 'nanostores'

/**
 * Runs `start` for the store's first listener, and the functions that `start` returns after the last listener has gone.
 * Only in the browser, because rendering an island on the server mounts its stores, too.
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
