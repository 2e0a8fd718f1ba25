import { createHash } from 'node:crypto'
import pLimit from 'p-limit'
import type { Logger } from 'pino'
import type { S3Config } from '../platform/s3-config.ts'
import { singleFlight } from '../platform/single-flight.ts'
import { UnavailableError } from '../platform/errors.ts'
import { openBackground } from './background.ts'
import { openBucketStorage } from './bucket-storage.ts'
import { sweepDrafts } from './files.ts'
import { encodeNewPicture, encodePicture, type Format, FORMATS, measurePicture, type Width, WIDTHS } from './picture.ts'
import { type FileOnDisk, HASH, openFolderStorage, ORIGINAL, type PictureStorage } from './storage.ts'

export type Picture = { hash: string; width: number; height: number }
export type Rendition = FileOnDisk & { etag: string }
export type Media = ReturnType<typeof openMedia>

const AT_ONCE: Width[] = [320, 640]
const WORKERS = 2
const MAX_WAITING = 200
const QUIET_MS = 3000

/** Runs `work` in one process at a time for each key. */
type Exclusively = (key: string, work: () => Promise<void>) => Promise<void>

interface Options {
  folder: string
  /** If set, pictures are stored in the bucket; those that are already in `folder` are still served from there. */
  bucket?: { s3: S3Config; cacheFolder: string; cacheBytes?: number } | null
  /** For processes that share the pictures, so that each rendition is made once. */
  exclusively?: Exclusively
  log?: Pick<Logger, 'warn'>
  background?: boolean
  quietMs?: number
}

/**
 * Stores pictures in `folder` or a bucket by the SHA-256 of their original bytes. The original is stored unchanged and
 * never served; renditions are upright and without metadata. Several processes may share a folder or a bucket.
 * Renditions other than WebP 320 and 640 are made in the background, once no picture has been requested for `quietMs`;
 * with `background: false`, only when requested.
 */
export function openMedia(options: Options) {
  const { folder, bucket, exclusively = (_key, work) => work(), log, background = true, quietMs = QUIET_MS } = options
  const local = openFolderStorage(folder)
  const remote = bucket ? openBucketStorage({ ...bucket, log }) : null
  const storage = remote ?? local
  const stored = remote ? inEither(local, remote) : local
  const work = pLimit({ concurrency: WORKERS, rejectOnClear: true })
  const behind = background ? openBackground({ make: makeRendition, quietMs, log }) : null
  const storing = singleFlight<Picture>()
  const making = singleFlight<void>()

  const drafts = [folder, ...(bucket ? [bucket.cacheFolder] : [])]
  const swept = Promise.all(drafts.map(each => sweepDrafts(each))).catch((error: unknown) =>
    log?.warn({ err: error }, 'Drafts could not be swept'),
  )

  async function storeNew(hash: string, bytes: Buffer): Promise<Picture> {
    const picture = { hash, ...(await measurePicture(bytes)) }
    if (await storage.has(hash)) return picture
    const made = await Promise.all(
      AT_ONCE.map(width => work(async () => ({ width, rendition: await encodeNewPicture(bytes, width, 'webp') }))),
    )
    for (const { width, rendition } of made) await storage.write(hash, `${width}.webp`, rendition)
    // Written last, so that every stored original has been decoded successfully.
    await storage.write(hash, ORIGINAL, bytes)
    behind?.add(hash, WIDTHS, FORMATS)
    return picture
  }

  function makeRendition(hash: string, width: Width, format: Format): Promise<void> {
    const name = `${width}.${format}`
    return making.share(`${hash}/${name}`, () => work(() => exclusively(`${hash}/${name}`, makeNow)))

    async function makeNow(): Promise<void> {
      if (await stored.find(hash, name)) return
      // Read by Node, whose errors say when there are too many open files.
      const original = await stored.read(hash, ORIGINAL)
      if (original) await storage.write(hash, name, await encodePicture(original, width, format))
    }
  }

  return {
    /**
     * Stores a picture; resolves when WebP 320 and 640 are made. Throws an `InvalidInputError` if it is not a picture.
     */
    store(bytes: Buffer): Promise<Picture> {
      const hash = createHash('sha256').update(bytes).digest('hex')
      return storing.share(hash, () => storeNew(hash, bytes))
    },

    /** Stores a trusted picture unchecked and returns its hash. Renditions are made in the background or on request. */
    async add(bytes: Buffer): Promise<string> {
      const hash = createHash('sha256').update(bytes).digest('hex')
      if (await storage.has(hash)) return hash
      await storage.write(hash, ORIGINAL, bytes)
      behind?.add(hash, AT_ONCE, ['webp'])
      return hash
    },

    has: async (hash: string): Promise<boolean> => HASH.test(hash) && stored.has(hash),

    /** The stored pictures whose hash has this beginning. One that is in both the folder and the bucket comes twice. */
    list: stored.list,

    /**
     * The file of one rendition, which is made if missing. Null for an unknown hash, width or format. Throws an
     * `UnavailableError` when too many wait.
     */
    async rendition(hash: string, width: number, format: string): Promise<Rendition | null> {
      const known = { width: WIDTHS.find(each => each === width), format: FORMATS.find(each => each === format) }
      if (!HASH.test(hash) || !known.width || !known.format) return null
      const name = `${known.width}.${known.format}`
      let found = await stored.find(hash, name)
      if (!found && !(await stored.has(hash))) return null
      behind?.holdBack()
      if (!found) {
        if (!making.isRunning(`${hash}/${name}`) && work.pendingCount >= MAX_WAITING)
          throw new UnavailableError('Too many pictures are being made')
        await makeRendition(hash, known.width, known.format)
        found = await stored.find(hash, name)
      }
      return found && { ...found, etag: `"${hash.slice(0, 16)}-${width}-${format}-${found.bytes}"` }
    },

    /** Waits for running work and drops queued work: those renditions are made when they are requested. */
    async close(): Promise<void> {
      behind?.close()
      work.clearQueue()
      await Promise.allSettled([swept, storing.settled(), making.settled()])
      await remote?.close()
    },
  }
}

/** Reads the pictures of both storages, the first one first. */
function inEither(first: PictureStorage, second: PictureStorage): Omit<PictureStorage, 'write'> {
  return {
    find: async (hash, name) => (await first.find(hash, name)) ?? second.find(hash, name),
    read: async (hash, name) => (await first.read(hash, name)) ?? second.read(hash, name),
    has: async hash => (await first.has(hash)) || second.has(hash),
    async *list(beginning) {
      yield* first.list(beginning)
      yield* second.list(beginning)
    },
  }
}
