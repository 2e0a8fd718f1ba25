import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Context, Hono } from 'hono'
import type { Logger } from 'pino'
import type { Env } from '../http/env.ts'
import { countMissing } from '../http/count-missing.ts'
import { matchesEtag } from '../http/etags.ts'
import { UnavailableError } from '../platform/errors.ts'
import { absent } from './files.ts'
import type { Media } from './store.ts'

const ADDRESS = /^\/media\/([0-9a-f]{64})\/([1-9]\d{2,3})\.(webp|avif)$/
/** The memory that each download holds while its client reads nothing. */
const CHUNK_BYTES = 16 * 1024

/** Serves `/media/{hash}/{width}.{webp|avif}`. Browsers may cache pictures forever, and other sites embed them. */
export function mediaRoutes(app: Hono<Env>, media: Pick<Media, 'rendition'>, log?: Pick<Logger, 'warn'>): void {
  async function serve(c: Context<Env>, isAgain = false): Promise<Response> {
    const [, hash = '', width = '', format = ''] = ADDRESS.exec(c.req.path) ?? []
    const rendition = await countMissing(c, () => media.rendition(hash, Number(width), format))
    if (!rendition) return notFound(c)

    const isThere = matchesEtag(c.req.header('If-None-Match'), rendition.etag)
    const file = isThere || c.req.method === 'HEAD' ? undefined : await open(rendition.path).catch(absent)
    // The file was removed after it was found, because its picture has moved into the bucket: it is found there.
    if (file === null) return isAgain ? notFound(c) : serve(c, true)

    c.header('ETag', rendition.etag)
    c.header('Cache-Control', 'public, max-age=31536000, immutable')
    c.header('X-Content-Type-Options', 'nosniff')
    c.header('Content-Security-Policy', "default-src 'none'; sandbox")
    c.header('Cross-Origin-Resource-Policy', 'cross-origin')
    if (isThere) return c.body(null, 304)

    c.header('Content-Type', `image/${format}`)
    c.header('Content-Length', String(rendition.bytes))
    if (!file) return c.body(null)
    return c.body(Readable.toWeb(file.createReadStream({ highWaterMark: CHUNK_BYTES })) as ReadableStream)
  }

  /** The disk fails, or the network to a shared folder. */
  function unavailable(error: unknown): never {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    log?.warn({ err: error }, 'The folder of pictures failed')
    throw new UnavailableError('Pictures cannot be reached right now')
  }

  app.get('/media/*', c => serve(c).catch(unavailable))
}

function notFound(c: Context<Env>): Response {
  return c.json({ error: 'Picture not found' }, 404)
}
