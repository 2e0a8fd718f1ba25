import { LRUCache } from 'lru-cache'
import type { Database } from '../db/open.ts'

/** Counts by what they count: asked once, and again after a product has changed. */
export interface Totals {
  of<Total>(what: unknown[], count: () => Promise<Total>): Promise<Total>
}

const KEPT = 5000

/** Keeps what listings count until the database says that products have changed. */
export function keepTotals({ onChange }: Pick<Database, 'onChange'>): Totals {
  // Promises: those who ask at once share one count, and one that began before a change goes with it.
  const kept = new LRUCache<string, Promise<unknown>>({ max: KEPT })
  let isHearing = false
  onChange(tag => {
    if (tag === null || tag === 'products') kept.clear()
  }).then(
    () => (isHearing = true),
    // Without news nothing can be kept: then each listing counts.
    () => undefined,
  )
  return {
    of<Total>(what: unknown[], count: () => Promise<Total>): Promise<Total> {
      const key = JSON.stringify(what)
      const known = kept.get(key) as Promise<Total> | undefined
      if (known) return known
      const counted = count()
      if (!isHearing) return counted
      kept.set(key, counted)
      counted.catch(() => kept.delete(key))
      return counted
    },
  }
}
