import { LRUCache } from 'lru-cache'
import type { Database } from '../db/types.ts'

/** A read-through cache, keyed by the query and cleared by change tags. */
export interface QueryCache<Cached = unknown> {
  of<Result extends Cached>(what: unknown[], read: () => Promise<Result>): Promise<Result>
}

interface Options<Result> {
  /** Maximum total of keys and results, in characters; the least recently used results are evicted first. */
  max: number
  /** Estimated size of a result in memory, in characters; by default only its key counts. */
  sizeOf?: (result: Result) => number
  /** For the tag of a change (migration 0001): the key to invalidate, true for all keys, false for none. */
  changedBy: (tag: string) => string | boolean
}

/** Memory of an entry besides its key and result, in characters. */
const OWN_CHARACTERS = 200

/** Caches nothing. */
export const NO_CACHE: QueryCache = { of: (_, read) => read() }

/** Caches results until the database reports a change that affects them. */
export function openQueryCache<Cached = unknown>(
  database: Pick<Database, 'onChange'>,
  options: Options<Cached>,
): QueryCache<Cached> {
  const cache = cacheUntilChanged(database, options)
  return {
    of<Result extends Cached>(what: unknown[], read: () => Promise<Result>): Promise<Result> {
      const key = JSON.stringify(what)
      return (cache.get(key) as Promise<Result> | undefined) ?? cache.store(key, read())
    },
  }
}

/** Caches reads by key until they change or fail. Caches nothing until changes can be received. */
export function cacheUntilChanged<Cached>(
  { onChange }: Pick<Database, 'onChange'>,
  { max, sizeOf = () => 0, changedBy }: Options<Cached>,
) {
  // Caches promises: concurrent calls share one read, and a change also removes reads that are still running.
  const reads = new LRUCache<string, Promise<Cached>>({ maxSize: max })
  let isListening = false
  onChange(tag => {
    const changed = tag === null || changedBy(tag)
    if (changed === true) reads.clear()
    else if (changed) reads.delete(changed)
  }).then(
    () => (isListening = true),
    // Without change notifications, nothing is cached.
    () => undefined,
  )
  const forget = (key: string, read: Promise<Cached>) => reads.peek(key) === read && reads.delete(key)
  return {
    get: (key: string) => reads.get(key),
    store<Result extends Cached>(key: string, read: Promise<Result>): Promise<Result> {
      if (!isListening) return read
      reads.set(key, read, { size: OWN_CHARACTERS + key.length })
      read.then(
        // Deleted first: setting the same value again would keep its old size.
        result => forget(key, read) && reads.set(key, read, { size: OWN_CHARACTERS + key.length + sizeOf(result) }),
        () => forget(key, read),
      )
      return read
    },
  }
}
