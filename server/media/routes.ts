import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { Env, Hono } from 'hono'
import { isKnown } from '../etags.ts'
import type { Media } from './store.ts'

const ADDRESS = /^\/media\/([0-9a-f]{64})\/([1-9]\d{2,3})\.(webp|avif)$/

/** `/media/{hash}/{width}.{webp|avif}`: what an address shows never changes, so whoever has it may keep it for good. */
export function mediaRoutes<E extends Env>(app: Hono<E>, media: Pick<Media, 'rendition'>): void {
  app.get('/media/*', async c => {
    const [, hash = '', width = '', format = ''] = ADDRESS.exec(c.req.path) ?? []
    const rendition = await media.rendition(hash, Number(width), format)
    if (!rendition) return c.json({ error: 'Picture not found' }, 404)

    c.header('ETag', rendition.etag)
    c.header('Cache-Control', 'public, max-age=31536000, immutable')
    c.header('X-Content-Type-Options', 'nosniff')
    c.header('Content-Security-Policy', "default-src 'none'; sandbox")
    c.header('Cross-Origin-Resource-Policy', 'same-origin')
    if (isKnown(c.req.header('If-None-Match'), rendition.etag)) return c.body(null, 304)

    c.header('Content-Type', `image/${format}`)
    c.header('Content-Length', String(rendition.bytes))
    if (c.req.method === 'HEAD') return c.body(null)
    return c.body(Readable.toWeb(createReadStream(rendition.path)) as ReadableStream)
  })
}
