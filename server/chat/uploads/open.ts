import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { MAX_UPLOAD_BYTES } from '#contract/chat.ts'
import { Refusal } from '../../http/errors.ts'
import { atFirstUse } from '../../platform/first-use.ts'
import { sweepDrafts } from '../../media/files.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { createAddresses } from './addresses.ts'
import type { S3Config } from './config.ts'
import type { Part } from './place.ts'
import { NO_ROOM, openDiskRoom } from './disk-room.ts'
import type { StoredFile } from './keep.ts'

/** A form that came in whole; nothing of it is kept before `keep`. */
export interface Upload {
  fields: Record<string, string>
  /** Of all files together, as they came in. */
  bytes: number
  /** Keeps all files, or none: refuses (422) when one is not what its name says, (503) when there is no room. */
  keep(): Promise<StoredFile[]>
  /** To be called in the end, whatever happened. */
  discard(): Promise<void>
}

interface Options {
  /** Drafts are always here; the files too, without a bucket. */
  folder: string
  s3?: S3Config | null
  /** Bytes of the disk that uploads leave free. */
  diskReserve?: number
  secrets: Secrets
  log: Pick<Logger, 'error'>
  now?: () => number
}

export type Uploads = ReturnType<typeof openUploads>

/** Where a form does not say how long it is, it may be this long. */
const LONGEST_FORM = MAX_UPLOAD_BYTES
/** A file lies there twice while it is put in its place. */
const COPIES = 2
const ABANDONED_MS = 3600_000
const BATCH = 500
const KEY = /^([0-9a-f]{2})\/\1[0-9a-f]{6}-[0-9a-f-]{27}$/

/** The files that customers send in chat. Opens nothing before there is one. */
export function openUploads({ folder, s3 = null, diskReserve = 0, secrets, log, now = Date.now }: Options) {
  const room = openDiskRoom({ reserve: diskReserve })
  // What reads and keeps files is loaded when there is one: the start of the shop does not wait for it.
  const files = atFirstUse(async () => (await import('./disk.ts')).openFiles({ folder, s3 }))

  /** What is not a refusal is a fault of the disk or the bucket: said as a refusal that may pass. */
  function passing(error: unknown, reason: string): Refusal {
    if (error instanceof Refusal) return error
    log.error({ err: error }, reason)
    return new Refusal(503, isFull(error) ? NO_ROOM : reason)
  }

  async function remove(keys: string[]): Promise<void> {
    for (const key of keys) {
      const { remove } = await files()
      await remove(key).catch((error: unknown) => log.error({ err: error, key }, 'a file could not be removed'))
    }
  }

  return {
    ...createAddresses({ secrets, now }),

    /** Takes in a form with files; `onFile` throws where there may not be one more. Throws a `Refusal`, and leaves nothing behind then. */
    async receive(form: Pick<Request, 'body' | 'headers'>, onFile: () => Promise<void>): Promise<Upload> {
      const own = join(folder, 'drafts', randomUUID())
      let leaveRoom = (): void => {}
      // Drafts that stay are swept.
      const discard = async () => {
        await rm(own, { recursive: true, force: true }).catch((error: unknown) =>
          log.error({ err: error }, 'drafts remain'),
        )
        leaveRoom()
      }
      const cannot = (error: unknown) => passing(error, 'Files cannot be kept right now')
      try {
        await mkdir(own, { recursive: true, mode: 0o700 })
        leaveRoom = await room.take(own, COPIES * lengthOf(form))
        const { receive } = await import('./receive.ts')
        const { keep } = await import('./keep.ts')
        const { fields, drafts } = await receive(form, { folder: own, onFile })
        const bytes = drafts.reduce((sum, draft) => sum + draft.bytes, 0)
        return {
          fields,
          bytes,
          discard,
          keep: async () => keep(drafts, await files()).catch((error: unknown) => Promise.reject(cannot(error))),
        }
      } catch (error) {
        await discard()
        throw cannot(error)
      }
    },

    /** The bytes of a file, all or a part; null when there is none. Refuses (503) when nobody can say. */
    async read(key: string, part: Part | null = null) {
      if (!KEY.test(key)) return null
      const { read } = await files()
      return read(key, part).catch((error: unknown) => {
        throw passing(error, 'Files cannot be read right now')
      })
    },

    /** Never rejects: what could not be removed is swept. */
    remove,

    /** Removes what nothing names an hour after it came, and drafts that a crash left behind; answers how many files. */
    async sweep(named: (keys: string[]) => Promise<Set<string>>): Promise<number> {
      await sweepDrafts(folder)
      const { list } = await files()
      let waiting: string[] = []
      let count = 0
      const sweepWaiting = async () => {
        const known = await named(waiting)
        const unnamed = waiting.filter(key => !known.has(key))
        await remove(unnamed)
        count += unnamed.length
        waiting = []
      }
      for await (const { key, cameAt } of list()) {
        if (KEY.test(key) && now() - cameAt.getTime() > ABANDONED_MS) waiting.push(key)
        if (waiting.length === BATCH) await sweepWaiting()
      }
      await sweepWaiting()
      return count
    },
  }
}

function lengthOf({ headers }: Pick<Request, 'headers'>): number {
  const length = Number(headers.get('content-length'))
  return length > 0 && length <= LONGEST_FORM ? length : LONGEST_FORM
}

function isFull(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (['ENOSPC', 'EDQUOT'].includes((at as NodeJS.ErrnoException).code ?? '')) return true
  }
  return false
}
