/**
 * Opens another page with `go`. An offline browser stays on this one (`src/scripts/offline-navigation.ts`): it opens the
 * other page once it is back online.
 */
export function leave(go: () => void): void {
  if (!navigator.onLine) addEventListener('online', go, { once: true })
  go()
}
