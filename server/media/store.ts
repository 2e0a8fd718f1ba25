import { createHash } from 'node:crypto'
import { join } from 'node:path'
import pLimit from 'p-limit'
import type { Logger } from 'pino'
import { singleFlight } from '../platform/single-flight.ts'
import { UnavailableError } from '../platform/errors.ts'
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
 * Stores pictures in `folder` by the SHA-256 of their original bytes. The original is stored unchanged and never
 * served; renditions are upright and without metadata. Several processes may share a folder. Renditions other than WebP
 * 320 and 640 are made in the background, once no picture has been requested for `quietMs`; with `background: false`,
 * only when requested.
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
  const storing = singleFlight<Picture>()
  const making = singleFlight<void>()

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
    // Written last, so that every stored original has been decoded successfully.
    await writeWhole(folder, placeOf(hash, 'original'), bytes)
    behind?.add(hash, WIDTHS, FORMATS)
    return picture
  }

  function make(hash: string, width: Width, format: Format): Promise<void> {
    const path = placeOf(hash, `${width}.${format}`)
    return making.share(path, () =>
      work(async () => {
        if ((await sizeOf(path)) !== null) return
        await writeWhole(folder, path, await encodePicture(placeOf(hash, 'original'), width, format))
      }),
    )
  }

  return {
    /**
     * Stores a picture; resolves when WebP 320 and 640 are made. Throws an `InvalidInputError` if it is not a picture.
     */
    store(bytes: Buffer): Promise<Picture> {
      const hash = createHash('sha256').update(bytes).digest('hex')
      return storing.share(hash, () => keep(hash, bytes))
    },

    /** Stores a trusted picture unchecked and returns its hash. Renditions are made in the background or on request. */
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

    /** The hash of every stored picture. */
    async *hashes(): AsyncGenerator<string> {
      for (const start of await namesIn(folder)) {
        if (start.length !== 2) continue
        for (const rest of await namesIn(join(folder, start))) if (HASH.test(start + rest)) yield start + rest
      }
    },

    /** A picture's folder, its size in bytes with all renditions, and its last change; null if it is not stored. */
    measure: (hash: string) => measureFolder(placeOf(hash)),

    /**
     * The file of one rendition, which is made if missing. Null for an unknown hash, width or format. Throws an
     * `UnavailableError` when too many wait.
     */
    async rendition(hash: string, width: number, format: string): Promise<Rendition | null> {
      const known = { width: WIDTHS.find(each => each === width), format: FORMATS.find(each => each === format) }
      if (!HASH.test(hash) || !known.width || !known.format) return null
      behind?.holdBack()
      const path = placeOf(hash, `${known.width}.${known.format}`)
      let bytes = await sizeOf(path)
      if (bytes === null) {
        if (!(await isThere(hash))) return null
        if (!making.isRunning(path) && work.pendingCount >= MOST_WAITING)
          throw new UnavailableError('Too many pictures are being made')
        await make(hash, known.width, known.format)
        bytes = await sizeOf(path)
      }
      return bytes === null ? null : { path, bytes, etag: `"${hash.slice(0, 16)}-${width}-${format}-${bytes}"` }
    },

    /** Waits for running work and drops queued work: those renditions are made when they are requested. */
    async close(): Promise<void> {
      behind?.close()
      work.clearQueue()
      await Promise.allSettled([swept, storing.settled(), making.settled()])
    },
  }
}
