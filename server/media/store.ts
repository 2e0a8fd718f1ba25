import { createHash } from 'node:crypto'
import { join } from 'node:path'
import pLimit from 'p-limit'
import type { Logger } from 'pino'
import { Refusal } from '../http/errors.ts'
import { openBackground } from './background.ts'
import { measureFolder, namesIn, sizeOf, sweepDrafts, writeWhole } from './files.ts'
import { encodeNewPicture, encodePicture, type Format, FORMATS, measurePicture, type Width, WIDTHS } from './picture.ts'

export type Picture = { hash: string; width: number; height: number }
export type Rendition = { path: string; bytes: number; etag: string }
export type Media = ReturnType<typeof openMedia>

const AT_ONCE: Width[] = [320, 640]
const WORKERS = 2
const MOST_WAITING = 200
const QUIET_MS = 3000
const HASH = /^[0-9a-f]{64}$/

/**
 * The pictures in `folder`, each under the SHA-256 of the bytes that came in. The original is kept as it came and never
 * served; renditions are upright and carry no metadata. Several processes may share a folder. With `background: false`
 * renditions other than WebP 320 and 640 are made only when asked for; else behind, when nobody has asked for a picture
 * for `quietMs`.
 */
export function openMedia(options: {
  folder: string
  log?: Pick<Logger, 'warn'>
  background?: boolean
  quietMs?: number
}) {
  const { folder, log, background = true, quietMs = QUIET_MS } = options
  const work = pLimit({ concurrency: WORKERS, rejectOnClear: true })
  const behind = background ? openBackground({ make, quietMs, log }) : null
  const storing = new Map<string, Promise<Picture>>()
  const making = new Map<string, Promise<void>>()

  const swept = sweepDrafts(folder).catch((error: unknown) => log?.warn({ err: error }, 'Drafts could not be swept'))

  const placeOf = (hash: string, file = '') => join(folder, hash.slice(0, 2), hash.slice(2), file)

  async function isThere(hash: string): Promise<boolean> {
    return (await sizeOf(placeOf(hash, 'original'))) !== null
  }

  async function keep(hash: string, bytes: Buffer): Promise<Picture> {
    const picture = { hash, ...(await measurePicture(bytes)) }
    if (await isThere(hash)) return picture
    const made = await Promise.all(
      AT_ONCE.map(width => work(async () => ({ width, rendition: await encodeNewPicture(bytes, width, 'webp') }))),
    )
    for (const { width, rendition } of made) await writeWhole(folder, placeOf(hash, `${width}.webp`), rendition)
    // Last, so that a picture that is there has been decoded once.
    await writeWhole(folder, placeOf(hash, 'original'), bytes)
    behind?.add(hash, WIDTHS, FORMATS)
    return picture
  }

  function make(hash: string, width: Width, format: Format): Promise<void> {
    const path = placeOf(hash, `${width}.${format}`)
    return once(making, path, () =>
      work(async () => {
        if ((await sizeOf(path)) !== null) return
        await writeWhole(folder, path, await encodePicture(placeOf(hash, 'original'), width, format))
      }),
    )
  }

  return {
    /** Takes a picture in, with WebP 320 and 640 made when the promise settles. Refuses (422) what is not a picture. */
    store(bytes: Buffer): Promise<Picture> {
      const hash = createHash('sha256').update(bytes).digest('hex')
      return once(storing, hash, () => keep(hash, bytes))
    },

    /** Keeps a picture of our own, known to be one; WebP 320 and 640 are made behind, or when they are asked for. Answers its hash. */
    async add(bytes: Buffer): Promise<string> {
      const hash = createHash('sha256').update(bytes).digest('hex')
      if (await isThere(hash)) return hash
      await writeWhole(folder, placeOf(hash, 'original'), bytes)
      behind?.add(hash, AT_ONCE, ['webp'])
      return hash
    },

    async has(hash: string): Promise<boolean> {
      return HASH.test(hash) && isThere(hash)
    },

    /** Every picture that is there. */
    async *hashes(): AsyncGenerator<string> {
      for (const start of await namesIn(folder)) {
        if (start.length !== 2) continue
        for (const rest of await namesIn(join(folder, start))) if (HASH.test(start + rest)) yield start + rest
      }
    },

    /** The folder of a picture, what it takes with all its renditions, and when the last of them came; null for one that is not there. */
    measure: (hash: string) => measureFolder(placeOf(hash)),

    /** The file of one rendition, made now if need be; null for a hash, width or format that is unknown. Refuses (503) when too many wait. */
    async rendition(hash: string, width: number, format: string): Promise<Rendition | null> {
      const known = { width: WIDTHS.find(each => each === width), format: FORMATS.find(each => each === format) }
      if (!HASH.test(hash) || !known.width || !known.format) return null
      behind?.holdBack()
      const path = placeOf(hash, `${known.width}.${known.format}`)
      let bytes = await sizeOf(path)
      if (bytes === null) {
        if (!(await isThere(hash))) return null
        if (!making.has(path) && work.pendingCount >= MOST_WAITING)
          throw new Refusal(503, 'Too many pictures are being made')
        await make(hash, known.width, known.format)
        bytes = await sizeOf(path)
      }
      return bytes === null ? null : { path, bytes, etag: `"${hash.slice(0, 16)}-${width}-${format}-${bytes}"` }
    },

    /** Lets what has begun end and drops what waits; renditions that were dropped are made when they are asked for. */
    async close(): Promise<void> {
      behind?.close()
      work.clearQueue()
      await Promise.allSettled([swept, ...storing.values(), ...making.values()])
    },
  }
}

function once<T>(running: Map<string, Promise<T>>, key: string, start: () => Promise<T>): Promise<T> {
  const begun = running.get(key) ?? start().finally(() => running.delete(key))
  running.set(key, begun)
  return begun
}
