import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import pLimit from 'p-limit'
import type { Db } from '#server/db/types.ts'
import type { Media } from '#server/media/store.ts'
import { pictureless, sourcesElsewhere, storeHashElsewhere, storePictureHash } from '../pictures.ts'

interface Options {
  db: Db
  media: Pick<Media, 'store'>
  /** Keys of the shops whose pictures to fetch. */
  shops: string[]
  /** Returns a picture's bytes; rejects with the reason. */
  fetch: (address: string) => Promise<Buffer>
  signal?: AbortSignal | undefined
  onWarning: (reason: string) => void
  onProgress?: (done: number) => void
}

const AT_ONCE = 4
const REMEMBERED = 10_000

/** Fetches and stores the pictures of these shops, categories and the home page. Failures are reported as warnings. */
export async function fetchPictures(options: Options): Promise<{ stored: number; missing: number }> {
  const { db, media, shops, fetch, signal, onWarning, onProgress } = options
  const limit = pLimit(AT_ONCE)
  const result = { stored: 0, missing: 0 }
  const hashes = new Map<string, string | null>()
  const reasons = new Set<string>()

  async function bring(source: string): Promise<string | null> {
    try {
      return (await media.store(await fetch(source))).hash
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      // After the fetcher has given up on a host, all its pictures fail for the same reason: report it once.
      if (!reasons.has(reason)) onWarning(`${source}: ${reason}`)
      if (/given up/.test(reason)) reasons.add(reason)
      return null
    }
  }

  async function complete(sources: string[], give: (source: string, hash: string) => Promise<void>): Promise<void> {
    for (const source of sources) {
      if (signal?.aborted) return
      const hash = hashes.has(source) ? hashes.get(source) : await bring(source)
      if (hashes.size < REMEMBERED) hashes.set(source, hash ?? null)
      if (hash) await give(source, hash)
      result[hash ? 'stored' : 'missing'] += 1
      onProgress?.(result.stored + result.missing)
    }
  }

  for await (const page of pictureless(db, shops)) {
    const giveTo = (id: string) => (source: string, hash: string) => storePictureHash(db, id, source, hash)
    await Promise.all(page.map(({ id, sources }) => limit(() => complete(sources, giveTo(id)))))
    signal?.throwIfAborted()
  }
  const others = await sourcesElsewhere(db, shops)
  const give = (source: string, hash: string) => storeHashElsewhere(db, source, hash)
  await Promise.all(others.map(source => limit(() => complete([source], give))))
  signal?.throwIfAborted()
  return result
}

/** Reads pictures from a folder instead: each by the file name at the end of its URL. */
export function picturesIn(folder: string): (address: string) => Promise<Buffer> {
  return async address => {
    const name = basename(decodeURIComponent(new URL(address).pathname))
    try {
      return await readFile(join(folder, name))
    } catch (error) {
      throw new Error(`there is no ${name} in ${folder}`, { cause: error })
    }
  }
}
