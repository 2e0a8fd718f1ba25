import { LRUCache } from 'lru-cache'
import type { Database } from '../db/types.ts'

/** What was read, by what it answers: read once, and again after a change. */
export interface QueryCache<Kept = unknown> {
  of<Result extends Kept>(what: unknown[], read: () => Promise<Result>): Promise<Result>
}

interface Options<Result> {
  /** So much is kept, as `sizeOf` counts; what was not asked for longest goes first. */
  max: number
  /** What a result takes; 1 without it. */
  sizeOf?: (result: Result) => number
  /** What a change of this tag (migration 0001) may have changed: the read of this key, all of them, or none. */
  changedBy: (tag: string) => string | boolean
}

/** Keeps nothing: each read is the state of its moment. */
export const NO_CACHE: QueryCache = { of: (_, read) => read() }

/** Keeps what is read until the database tells a change of it. */
export function openQueryCache<Kept = unknown>(
  database: Pick<Database, 'onChange'>,
  options: Options<Kept>,
): QueryCache<Kept> {
  const kept = keepUntilChanged(database, options)
  return {
    of<Result extends Kept>(what: unknown[], read: () => Promise<Result>): Promise<Result> {
      const key = JSON.stringify(what)
      return (kept.get(key) as Promise<Result> | undefined) ?? kept.keep(key, read())
    },
  }
}

/** Reads by their keys, each until a change of it, or until it fails. While nothing can be heard, nothing is kept. */
export function keepUntilChanged<Kept>(
  { onChange }: Pick<Database, 'onChange'>,
  { max, sizeOf = () => 1, changedBy }: Options<Kept>,
) {
  // Promises: those who ask at once share one read, and one that began before a change goes with it.
  const reads = new LRUCache<string, Promise<Kept>>({ maxSize: max })
  let isHearing = false
  onChange(tag => {
    const changed = tag === null || changedBy(tag)
    if (changed === true) reads.clear()
    else if (changed) reads.delete(changed)
  }).then(
    () => (isHearing = true),
    // Without news nothing can be kept.
    () => undefined,
  )
  const forget = (key: string, read: Promise<Kept>) => reads.peek(key) === read && reads.delete(key)
  return {
    get: (key: string) => reads.get(key),
    keep<Result extends Kept>(key: string, read: Promise<Result>): Promise<Result> {
      if (!isHearing) return read
      reads.set(key, read, { size: 1 })
      read.then(
        // What is set again as it was keeps its size.
        result => forget(key, read) && reads.set(key, read, { size: sizeOf(result) }),
        () => forget(key, read),
      )
      return read
    },
  }
}
