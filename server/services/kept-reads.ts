import { LRUCache } from 'lru-cache'
import type { Database } from '../db/open.ts'

/** What was read, by what it answers: read once, and again after a change. */
export interface KeptReads {
  of<Result>(what: unknown[], read: () => Promise<Result>): Promise<Result>
}

interface Options {
  /** So many are kept; those that were not asked for longest go first. */
  max: number
  /** Whether a change of this tag (migration 0001) may change any of them. */
  isMeant: (tag: string) => boolean
}

/** Keeps nothing: each read is the state of its moment. */
export const READ_EACH_TIME: KeptReads = { of: (_, read) => read() }

/** Keeps what is read until the database tells a change that means it. */
export function keepReads({ onChange }: Pick<Database, 'onChange'>, { max, isMeant }: Options): KeptReads {
  // Promises: those who ask at once share one read, and one that began before a change goes with it.
  const kept = new LRUCache<string, Promise<unknown>>({ max })
  let isHearing = false
  onChange(tag => {
    if (tag === null || isMeant(tag)) kept.clear()
  }).then(
    () => (isHearing = true),
    // Without news nothing can be kept.
    () => undefined,
  )
  return {
    of<Result>(what: unknown[], read: () => Promise<Result>): Promise<Result> {
      const key = JSON.stringify(what)
      const known = kept.get(key) as Promise<Result> | undefined
      if (known) return known
      const made = read()
      if (!isHearing) return made
      kept.set(key, made)
      made.catch(() => kept.get(key) === made && kept.delete(key))
      return made
    },
  }
}
