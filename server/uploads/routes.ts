import type { Context, Hono } from 'hono'
import type * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Db } from '../db/types.ts'
import { networkOf, OWN_REQUEST } from '../http/client-address.ts'
import type { Env } from '../http/env.ts'
import { mount, originOf, signedIn } from '../http/mount.ts'
import { takeBoth } from '../http/take-both.ts'
import { type ErrorCode, MalformedError, ServiceError } from '../platform/errors.ts'
import { openTurns } from '../platform/turns.ts'
import { openFormsAtOnce } from './forms-at-once.ts'
import type { Upload, Uploads } from './uploads.ts'
import { checkStoredFiles, recordRejection } from './quota.ts'

type Files = Awaited<ReturnType<Upload['keep']>>

interface UploadHandler<E extends Endpoint> {
  hasPicturesOnly?: boolean
  /** Pictures with longer sides are made smaller. */
  maxPx?: number
  /** Before any file is stored. */
  check?: (input: z.output<E['input']>, c: Context<Env>) => void | Promise<void>
  /** Stores the files in the database, after `checkStoredFiles`. `isNew` is false if they were stored before. */
  store: (
    input: z.output<E['input']>,
    files: Files,
    c: Context<Env>,
  ) => Promise<{ answer: z.output<E['output']>; isNew: boolean }>
}

export type MountUpload = <E extends Endpoint>(app: Hono<Env>, call: E, handler: UploadHandler<E>) => void

/** Rejections that the audit records: too large, not acceptable, or beyond what an unconfirmed account may store. */
const REJECTED_FILE: ErrorCode[] = ['TOO_LARGE', 'INVALID_INPUT', 'CONFLICT']

/**
 * Returns a function that adds a call by which customers send files: counted and limited by size, one after the other
 * for each customer. Files of a rejected call are removed.
 */
export function openUploadCalls({ db, uploads }: { db: Db; uploads: Uploads }): MountUpload {
  const { inTurn } = openTurns()
  const forms = openFormsAtOnce()

  return (app, call, { hasPicturesOnly = false, maxPx, check, store }) => {
    const received = new WeakMap<Context, Upload>()
    const endings = new WeakMap<Context, () => void>()

    app.use(call.path, async (c, next) => {
      try {
        await next()
      } finally {
        await received.get(c)?.discard()
        endings.get(c)?.()
      }
      if (c.error instanceof ServiceError && REJECTED_FILE.includes(c.error.code)) await auditRejection(c, db, c.error)
    })

    /** Removes the files if they are rejected or were stored before. */
    async function storeFiles(files: Files, input: Parameters<typeof store>[0], c: Context<Env>) {
      const keys = files.map(file => file.key)
      try {
        const stored = await store(input, files, c)
        if (!stored.isNew) await uploads.remove(keys)
        return stored
      } catch (error) {
        // After other errors the files may be in use; if they are not, a sweep removes them later.
        if (error instanceof ServiceError) await uploads.remove(keys)
        throw error
      }
    }

    /** Receives the form; returns its fields. */
    async function receive(c: Context<Env>) {
      const { id } = signedIn(c)
      endings.set(c, forms.begin(id, networkOfSender(c)))
      // Check first, so that the client does not upload a body that would be rejected.
      await checkStoredFiles(db, id, [{ size: 1 }])
      const onFile = () => c.get('limits').take('upload', id)
      const upload = await uploads.receive(c.req.raw, onFile, { hasPicturesOnly, maxPx })
      received.set(c, upload)
      return upload.fields
    }

    mount(
      app,
      call,
      async (input, c) => {
        await check?.(input, c)
        const { id } = signedIn(c)
        const upload = received.get(c)
        if (!upload || upload.bytes === 0) throw new MalformedError('There is no file to send')
        let isKept = false
        const giveBack = await takeBoth(c, ['uploadBytes', 'uploadBytesPerIp'], id, upload.bytes)
        try {
          // One customer's uploads wait in turn: a picture may take 20 s, and only one is resized at a time.
          const { answer, isNew } = await inTurn(id, async () =>
            storeFiles(await upload.keep(networkOfSender(c)), input, c),
          )
          isKept = isNew
          return answer
        } finally {
          if (!isKept) await giveBack()
        }
      },
      { status: 201, read: receive },
    )
  }
}

function networkOfSender(c: Context<Env>): string {
  const ip = c.get('ip')
  return ip === OWN_REQUEST ? signedIn(c).id : networkOf(ip)
}

/** Each entry counts as an upload: otherwise forms that are rejected before their first file would fill the audit. */
async function auditRejection(c: Context<Env>, db: Db, { message }: ServiceError): Promise<void> {
  const id = c.get('customer')?.id
  if (!id || !(await c.get('limits').allows('upload', id))) return
  await recordRejection(db, { userId: id, reason: message }, originOf(c))
}
