/** Marks islands whose code cannot be fetched (`Unavailable.astro`). */
export function markMissingIslands(): void {
  addEventListener('astro:hydration-error', ({ target }) => ((target as HTMLElement).dataset.unavailable = ''))
}
