import { LRUCache } from 'lru-cache'
import type { Database } from '../db/open.ts'

/** What was read, by what it answers: read once, and again after a change. */
export interface KeptReads<Kept = unknown> {
  of<Result extends Kept>(what: unknown[], read: () => Promise<Result>): Promise<Result>
}

interface Options<Result> {
  /** So much is kept, as `sizeOf` counts; what was not asked for longest goes first. */
  max: number
  /** What a result takes; 1 without it. */
  sizeOf?: (result: Result) => number
  /** Whether a change of this tag (migration 0001) may change any of them. */
  isMeant: (tag: string) => boolean
}

/** Keeps nothing: each read is the state of its moment. */
export const READ_EACH_TIME: KeptReads = { of: (_, read) => read() }

/** Keeps what is read until the database tells a change that means it. */
export function keepReads<Kept = unknown>(
  { onChange }: Pick<Database, 'onChange'>,
  { max, sizeOf = () => 1, isMeant }: Options<Kept>,
): KeptReads<Kept> {
  // Promises: those who ask at once share one read, and one that began before a change goes with it.
  const kept = new LRUCache<string, Promise<unknown>>({ maxSize: max })
  let isHearing = false
  onChange(tag => {
    if (tag === null || isMeant(tag)) kept.clear()
  }).then(
    () => (isHearing = true),
    // Without news nothing can be kept.
    () => undefined,
  )
  return {
    of<Result extends Kept>(what: unknown[], read: () => Promise<Result>): Promise<Result> {
      const key = JSON.stringify(what)
      const known = kept.get(key) as Promise<Result> | undefined
      if (known) return known
      const made = read()
      if (!isHearing) return made
      kept.set(key, made, { size: 1 })
      made.then(
        result => kept.peek(key) === made && kept.set(key, made, { size: sizeOf(result) }),
        () => kept.peek(key) === made && kept.delete(key),
      )
      return made
    },
  }
}
