import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { MAX_UPLOAD_BYTES } from '#contract/chat.ts'
import { isRestored } from '../db/database-id.ts'
import { ServiceError, UnavailableError } from '../platform/errors.ts'
import { atFirstUse } from '../platform/first-use.ts'
import { sweepDrafts } from '../media/files.ts'
import type { Secrets } from '../platform/secrets.ts'
import { sumBy } from '../platform/sum.ts'
import { createAddresses } from './addresses.ts'
import type { S3Config } from '../platform/s3-config.ts'
import type { Files } from './file-store.ts'
import type { ByteRange, ListedFile } from './storage-driver.ts'
import { NO_ROOM, openDiskRoom } from './disk-room.ts'
import type { StoredFile } from './store-files.ts'

/** A completely received form; its files are not stored before `keep`. */
export interface Upload {
  fields: Record<string, string>
  /** Size of all received files together. */
  bytes: number
  /**
   * Stores all files or none: throws an `InvalidInputError` if a content does not match its name, and an
   * `UnavailableError` when the disk or the bucket fails. Pictures from one `network`, the sender's, are drawn one
   * after the other.
   */
  keep(network: string): Promise<StoredFile[]>
  /** Call it at the end in any case: removes the drafts. */
  discard(): Promise<void>
}

interface Options {
  /** Folder of the drafts, and of the files that came while there was no bucket. */
  folder: string
  s3?: S3Config | null
  /** Bytes of the disk that uploads must leave free. */
  diskReserve?: number
  secrets: Secrets
  log: Pick<Logger, 'error'>
  now?: () => number
}

type Form = Pick<Request, 'body' | 'headers'>
/** Returns those of the given keys that are in use. */
type Named = (keys: string[]) => Promise<Set<string>>

interface ReceiveOptions {
  hasPicturesOnly?: boolean
  /** Pictures with a longer side are made smaller. */
  maxPx?: number | undefined
}

export type Uploads = ReturnType<typeof openUploads>

/** Assumed length of a form without a Content-Length. */
const MAX_FORM_BYTES = MAX_UPLOAD_BYTES
/** While a file is stored, its draft and its copy exist at the same time. */
const COPIES = 2
const ABANDONED_MS = 3600_000
const BATCH = 500
export const FOREIGN_BUCKET = "The bucket may belong to another database (see 'media claim')"
const KEY = /^([0-9a-f]{2})\/\1[0-9a-f]{6}-[0-9a-f-]{27}$/

/** Files that customers send in chats, with returns and with reviews. Opens its storage on first use. */
export function openUploads({ folder, s3 = null, diskReserve = 0, secrets, log, now = Date.now }: Options) {
  const room = openDiskRoom({ reserve: diskReserve })
  // Imported on first use, so that the shop's start does not wait for it.
  const files = atFirstUse(async () => (await import('./file-store.ts')).openFiles({ folder, s3 }))

  const cannotKeep = (error: unknown) => failWith('Files cannot be kept right now', error, log)
  const cannotRead = (error: unknown) => failWith('Files cannot be read right now', error, log)

  async function remove(keys: string[]): Promise<void> {
    for (const key of keys) {
      const { remove } = await files()
      await remove(key).catch((error: unknown) => log.error({ err: error, key }, 'a file could not be removed'))
    }
  }

  /** Files that nothing uses an hour after their upload are abandoned. */
  async function sweepFiles({ list }: Pick<Files['folder'], 'list'>, named: Named): Promise<number> {
    let count = 0
    for await (const keys of keysBefore(now() - ABANDONED_MS, list())) {
      const known = await named(keys)
      const unnamed = keys.filter(key => !known.has(key))
      await remove(unnamed)
      count += unnamed.length
    }
    return count
  }

  return {
    ...createAddresses({ secrets, now }),

    /**
     * Receives a form with files. `onFile` is called for each file and may throw to reject it. Throws a `ServiceError`
     * after removing all drafts.
     */
    async receive(form: Form, onFile: () => Promise<void>, options: ReceiveOptions = {}): Promise<Upload> {
      const { hasPicturesOnly = false, maxPx } = options
      const own = join(folder, 'drafts', randomUUID())
      let leaveRoom = (): void => {}
      // Drafts that cannot be removed are swept later.
      const discard = async () => {
        await rm(own, { recursive: true, force: true }).catch((error: unknown) =>
          log.error({ err: error }, 'temporary files of an upload could not be removed'),
        )
        leaveRoom()
      }
      try {
        await mkdir(own, { recursive: true, mode: 0o700 })
        leaveRoom = await room.take(own, COPIES * lengthOf(form))
        const { receive } = await import('./receive.ts')
        const { storeFiles } = await import('./store-files.ts')
        const { fields, drafts } = await receive(form, { folder: own, onFile, hasPicturesOnly })
        const bytes = sumBy(drafts, draft => draft.bytes)
        const keep = async (network: string) => storeFiles(drafts, await files(), { network, maxPx }).catch(cannotKeep)
        return { fields, bytes, discard, keep }
      } catch (error) {
        await discard()
        return cannotKeep(error)
      }
    },

    /** Stores a trusted file unchecked and returns its key. Throws an `UnavailableError` when the storage fails. */
    async add(bytes: Buffer, mimeType: string): Promise<string> {
      const own = join(folder, 'drafts', randomUUID())
      try {
        await mkdir(own, { recursive: true, mode: 0o700 })
        const draft = join(own, 'added')
        await writeFile(draft, bytes, { mode: 0o600 })
        const { newKey } = await import('./store-files.ts')
        const key = newKey()
        await (await files()).place(draft, key, mimeType)
        return key
      } catch (error) {
        return cannotKeep(error)
      } finally {
        await rm(own, { recursive: true, force: true })
      }
    },

    /**
     * A file's bytes, all or a part; null if there is no such file. Throws an `UnavailableError` when the storage
     * fails.
     */
    async read(key: string, part: ByteRange | null = null) {
      if (!KEY.test(key)) return null
      const { read } = await files()
      return read(key, part).catch(cannotRead)
    },

    /** Never rejects: files that could not be removed are swept later. */
    remove,

    /** Removes from the folder what nothing uses, and drafts left by a crash; returns the number of files. */
    async sweep(named: Named): Promise<number> {
      await sweepDrafts(folder)
      return sweepFiles((await files()).folder, named)
    },

    /** How many of the folder's files are in use. */
    async countNamed(named: Named): Promise<number> {
      let count = 0
      for await (const keys of keysBefore(Infinity, (await files()).folder.list())) count += (await named(keys)).size
      return count
    },

    /**
     * Removes from the bucket, if there is one, what nothing uses; returns the number of files. Only for the database
     * to which the bucket belongs, which is the first that sweeps it and is no restored one: a restored backup does not
     * name the files that came since.
     */
    async sweepBucket(named: Named, databaseId: string): Promise<number> {
      const { bucket } = await files()
      if (!bucket) return 0
      const owner = await bucket.owner()
      if (isForeignBucket(owner, databaseId)) {
        log.error({ bucket: s3?.bucket }, `${FOREIGN_BUCKET}: unused files stay in it`)
        return 0
      }
      if (owner === null) await bucket.claim(databaseId)
      return sweepFiles(bucket, named)
    },
  }
}

/**
 * Whether a database must not remove files from the bucket of this owner. Without an owner, it may be the bucket of the
 * shop whose backup was restored: v0.2.0 did not claim its bucket.
 */
export function isForeignBucket(owner: string | null, databaseId: string): boolean {
  return owner === null ? isRestored(databaseId) : owner !== databaseId
}

/** The keys of files that came before `time`, in ms since 1970, in batches. */
async function* keysBefore(time: number, files: AsyncIterable<ListedFile>) {
  let keys: string[] = []
  for await (const { key, cameAt } of files) {
    if (KEY.test(key) && cameAt.getTime() < time) keys.push(key)
    if (keys.length < BATCH) continue
    yield keys
    keys = []
  }
  if (keys.length > 0) yield keys
}

function lengthOf({ headers }: Form): number {
  const length = Number(headers.get('content-length'))
  return length > 0 && length <= MAX_FORM_BYTES ? length : MAX_FORM_BYTES
}

/** Turns a failure of the disk or the bucket into an `UnavailableError`: a later request may succeed. */
function failWith(reason: string, error: unknown, log: Options['log']): never {
  if (error instanceof ServiceError) throw error
  log.error({ err: error }, reason)
  throw new UnavailableError(isFull(error) ? NO_ROOM : reason)
}

function isFull(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (['ENOSPC', 'EDQUOT'].includes((at as NodeJS.ErrnoException).code ?? '')) return true
  }
  return false
}
