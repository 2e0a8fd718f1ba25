import { readFile, rm } from 'node:fs/promises'
import type { Logger } from 'pino'
import { openDiskCache } from '../media/disk-cache.ts'
import { absent, sweepDrafts } from '../media/files.ts'
import { singleFlight } from '../platform/single-flight.ts'
import type { Uploads } from './uploads.ts'
import { makeThumbnail } from './pictures.ts'

interface Options {
  uploads: Pick<Uploads, 'read'>
  /** Folder of this process; it may be removed at any time. */
  folder: string
  log: Pick<Logger, 'warn'>
}

export type Thumbnails = ReturnType<typeof openThumbnails>

const MAX_BYTES = 100 * 1024 ** 2
/** Phones have two or three pixels where pages know one. */
const SIZE_PX = 240
const NAME = `${SIZE_PX}.webp`

/**
 * Square WebP sections of stored pictures. Each is drawn once and stored on this machine's disk: drawing takes 7 to 25
 * ms of processor time, one after the other.
 */
export function openThumbnails({ uploads, folder, log }: Options) {
  const cache = openDiskCache({ folder, maxBytes: MAX_BYTES })
  const drawing = singleFlight<Buffer | null>()
  const opened = Promise.all([cache.counted, sweepDrafts(folder)]).catch(warn)

  function warn(error: unknown): null {
    log.warn({ err: error }, 'The folder of thumbnails cannot be used')
    return null
  }

  async function readStored(id: string): Promise<Buffer | null> {
    const stored = await cache.find(id, NAME).catch(warn)
    return stored && readFile(stored.path).catch(absent)
  }

  async function draw(id: string, key: string): Promise<Buffer | null> {
    const stored = await readStored(id)
    if (stored) return stored
    const original = await uploads.read(key)
    if (!original) return null
    const bytes = await makeThumbnail(original, SIZE_PX)
    await cache.write(id, NAME, bytes).catch(warn)
    return bytes
  }

  return {
    /**
     * The thumbnail of the picture with this key; null if there is no such file. Throws an `UnavailableError` when the
     * storage fails or too many pictures are waiting.
     */
    async read(key: string): Promise<Buffer | null> {
      const id = key.slice(key.indexOf('/') + 1)
      return drawing.share(id, () => draw(id, key))
    },

    /** Removes all thumbnails, so that none outlives its picture for long. */
    async clear(): Promise<void> {
      await rm(folder, { recursive: true, force: true })
    },

    async close(): Promise<void> {
      await drawing.settled()
      await opened
    },
  }
}
