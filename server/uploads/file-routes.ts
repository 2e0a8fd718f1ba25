import { Readable } from 'node:stream'
import type { Context, Hono } from 'hono'
import { create as contentDisposition } from 'content-disposition'
import type { Db } from '../db/types.ts'
import { matchesEtag } from '../http/etags.ts'
import type { Env } from '../http/env.ts'
import { FILES_PATH } from './addresses.ts'
import { readFile, type SentFile } from './files.ts'
import type { Uploads } from './uploads.ts'
import type { ByteRange } from './storage-driver.ts'

interface Options {
  db: Db
  uploads: Uploads
}

/** Nothing in a file may run with the shop's origin. */
export const FILE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "sandbox; default-src 'none'",
  // Clients on other sites may show files: the URL of one that is not public cannot be guessed.
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Referrer-Policy': 'no-referrer',
}
const NOT_FOUND = { error: 'File not found' }

/** Registers `/media/files/{id}/{name}`, the signed URL of a file. */
export function fileRoutes(app: Hono<Env>, { db, uploads }: Options): void {
  app.get(`${FILES_PATH}/:id/:name`, async c => {
    const id = c.req.param('id')
    const { expires = '', signature = '' } = c.req.query()
    const secondsLeft = uploads.secondsLeft({ id, expires, signature })
    if (secondsLeft === 0) return c.json({ error: 'This address is not valid' }, 403, { 'Cache-Control': 'no-store' })
    const file = await readFile(db, id)
    return file ? serveFile(c, uploads, file, `private, max-age=${secondsLeft}, immutable`) : c.json(NOT_FOUND, 404)
  })
}

/** Sends a stored file, or the part or confirmation that the request asks for. */
export async function serveFile(
  c: Context<Env>,
  uploads: Pick<Uploads, 'read'>,
  file: SentFile,
  cacheControl: string,
): Promise<Response> {
  const { key, size } = file
  const etag = `"${file.id}"`
  const isSame = [undefined, etag].includes(c.req.header('If-Range'))
  const part = isSame ? readRange(c.req.header('Range'), size) : null
  if (part === 'none') return c.body(null, 416, { 'Content-Range': `bytes */${size}` })
  const isThere = matchesEtag(c.req.header('If-None-Match'), etag)
  const bytes = isThere || c.req.method === 'HEAD' ? undefined : await uploads.read(key, part)
  if (bytes === null) return c.json(NOT_FOUND, 404)

  const headers = { ...headersOf(file), ETag: etag, 'Cache-Control': cacheControl }
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
  if (isThere) return c.body(null, 304)
  if (part) c.header('Content-Range', `bytes ${part.start}-${part.end}/${size}`)
  c.header('Content-Length', String(part ? part.end - part.start + 1 : size))
  const status = part ? 206 : 200
  return bytes ? c.body(Readable.toWeb(bytes) as ReadableStream, status) : c.body(null, status)
}

/** Files other than pictures and videos are downloaded. */
function headersOf({ type, mimeType, originalName }: SentFile): Record<string, string> {
  const isShown = type === 'image' || type === 'video'
  return {
    'Content-Type': mimeType === 'text/plain' ? 'text/plain; charset=utf-8' : mimeType,
    'Content-Disposition': contentDisposition(originalName, { type: isShown ? 'inline' : 'attachment' }),
    ...FILE_HEADERS,
    'Accept-Ranges': 'bytes',
  }
}

/**
 * Parses a Range header for a file of `size` bytes. Null means the whole file (no header, another unit, several parts),
 * 'none' a part outside the file (416).
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'none' | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.replaceAll(' ', '') ?? '') ?? []
  if (first === '' && last === '') return null
  const start = first === '' ? Math.max(size - Number(last), 0) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null
  return start > end ? 'none' : { start, end }
}
