import { Readable } from 'node:stream'
import type { Context, Hono } from 'hono'
import { create as contentDisposition } from 'content-disposition'
import { sendFiles } from '#contract/chat.ts'
import type { Db } from '../db/types.ts'
import { isKnown } from '../http/etags.ts'
import type { Env } from '../http/env.ts'
import { mount, originOf, signedIn, signedInAs } from '../http/mount.ts'
import { type ErrorCode, MalformedError, ServiceError } from '../platform/errors.ts'
import { recordAudit } from '../platform/audit.ts'
import { openTurns } from '../platform/turns.ts'
import type { Announcer } from './announcer.ts'
import { announceMessage } from './chat-announcing.ts'
import { checkStoredFiles, readFile } from './chat-files.ts'
import { type NewMessage, storeMessage } from './chat-messages.ts'
import type { StoredAttachment } from './chat-view.ts'
import { FILES_PATH } from './uploads/addresses.ts'
import { readRange } from './uploads/range.ts'
import type { Upload, Uploads } from './uploads/open.ts'

interface Options {
  db: Db
  uploads: Uploads
  announcer: Announcer
}

/** What the audit records: files that are too large, or of a kind that may not be sent. */
const REFUSED_FILE: ErrorCode[] = ['TOO_LARGE', 'INVALID_INPUT', 'CONFLICT']

/** Registers the endpoint by which customers send files. */
export function chatFileRoutes(app: Hono<Env>, { db, uploads, announcer }: Options): void {
  const { inTurn } = openTurns()
  const received = new WeakMap<Context, Upload>()

  app.use(sendFiles.path, async (c, next) => {
    try {
      await next()
    } finally {
      await received.get(c)?.discard()
    }
    if (c.error instanceof ServiceError && REFUSED_FILE.includes(c.error.code)) await auditRefusal(c, db, c.error)
  })

  /** Stores a message with its files; removes the files if the message is rejected or was stored before. */
  async function storeWith(files: Awaited<ReturnType<Upload['keep']>>, message: NewMessage) {
    const keys = files.map(file => file.key)
    try {
      const stored = await storeMessage({ db, addressOf: uploads.addressOf }, { ...message, files })
      if (!stored.isNew) await uploads.remove(keys)
      return stored
    } catch (error) {
      // After other errors the message may have been stored; if it was not, a sweep removes the files later.
      if (error instanceof ServiceError) await uploads.remove(keys)
      throw error
    }
  }

  mount(
    app,
    sendFiles,
    async ({ userId, sellerId, text, clientId }, c) => {
      const sent = { userId: signedInAs(c, userId), sellerId, sender: 'customer' as const }
      const upload = received.get(c)
      if (!upload || upload.bytes === 0) throw new MalformedError('There is no file to send')
      let isKept = false
      const giveBack = await takeBytes(c, userId, upload.bytes)
      try {
        // One customer's uploads wait in turn: a picture may take 20 s, and only one is drawn at a time.
        const files = await inTurn(userId, () => upload.keep())
        const { message, isNew } = await storeWith(files, { ...sent, text, clientId })
        isKept = isNew
        if (isNew) announceMessage(announcer, sent, message)
        return { message }
      } finally {
        if (!isKept) await giveBack()
      }
    },
    201,
    async c => {
      const { id } = signedIn(c)
      // Check first, so that the client does not send a body in vain.
      await checkStoredFiles(db, id, 1)
      const upload = await uploads.receive(c.req.raw, () => c.get('limits').take('upload', id))
      received.set(c, upload)
      return upload.fields
    },
  )
}

/** Registers `/media/files/{id}/{name}`, the signed URL of a file. */
export function fileRoutes(app: Hono<Env>, { db, uploads }: Pick<Options, 'db' | 'uploads'>): void {
  app.get(`${FILES_PATH}/:id/:name`, async c => {
    const id = c.req.param('id')
    const { expires = '', signature = '' } = c.req.query()
    const secondsLeft = uploads.secondsLeft({ id, expires, signature })
    if (secondsLeft === 0) return c.json({ error: 'This address is not valid' }, 403, { 'Cache-Control': 'no-store' })
    const file = await readFile(db, id)
    return file ? serve(c, uploads, file, secondsLeft) : c.json({ error: 'File not found' }, 404)
  })
}

async function serve(c: Context<Env>, uploads: Uploads, file: StoredAttachment, secondsLeft: number) {
  const { key, size } = file
  const etag = `"${file.id}"`
  const isSame = [undefined, etag].includes(c.req.header('If-Range'))
  const part = isSame ? readRange(c.req.header('Range'), size) : null
  if (part === 'none') return c.body(null, 416, { 'Content-Range': `bytes */${size}` })
  const isThere = isKnown(c.req.header('If-None-Match'), etag)
  const bytes = isThere || c.req.method === 'HEAD' ? undefined : await uploads.read(key, part)
  if (bytes === null) return c.json({ error: 'File not found' }, 404)

  const headers = { ...headersOf(file), ETag: etag, 'Cache-Control': `private, max-age=${secondsLeft}, immutable` }
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
  if (isThere) return c.body(null, 304)
  if (part) c.header('Content-Range', `bytes ${part.start}-${part.end}/${size}`)
  c.header('Content-Length', String(part ? part.end - part.start + 1 : size))
  const status = part ? 206 : 200
  return bytes ? c.body(Readable.toWeb(bytes) as ReadableStream, status) : c.body(null, status)
}

/** Nothing in a file may run with the shop's origin: files other than pictures and videos are downloaded. */
function headersOf({ type, mimeType, originalName }: StoredAttachment): Record<string, string> {
  const isShown = type === 'image' || type === 'video'
  return {
    'Content-Type': mimeType === 'text/plain' ? 'text/plain; charset=utf-8' : mimeType,
    'Content-Disposition': contentDisposition(originalName, { type: isShown ? 'inline' : 'attachment' }),
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "sandbox; default-src 'none'",
    // Clients on other sites may show the file; the signed URL cannot be guessed.
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Referrer-Policy': 'no-referrer',
    'Accept-Ranges': 'bytes',
  }
}

/**
 * Counts the bytes against the limits of the account and of its address, or against neither (429). Returns a function
 * that gives both back.
 */
async function takeBytes(c: Context<Env>, userId: string, bytes: number): Promise<() => Promise<void>> {
  const limits = c.get('limits')
  const ip = c.get('ip')
  await limits.take('uploadBytes', userId, bytes)
  await limits.take('uploadBytesPerIp', ip, bytes).catch(async (error: unknown) => {
    await limits.giveBack('uploadBytes', userId, bytes)
    throw error
  })
  return async () => {
    await limits.giveBack('uploadBytes', userId, bytes)
    await limits.giveBack('uploadBytesPerIp', ip, bytes)
  }
}

function auditRefusal(c: Context<Env>, db: Db, { message }: ServiceError): Promise<void> {
  return recordAudit(db, {
    event: 'upload',
    outcome: 'refused',
    actorId: c.get('customer')?.id,
    details: { reason: message },
    ...originOf(c),
  })
}
