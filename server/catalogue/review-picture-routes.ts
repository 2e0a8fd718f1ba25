import type { Hono } from 'hono'
import type { Db } from '../db/types.ts'
import type { Env } from '../http/env.ts'
import { countMissing } from '../http/count-missing.ts'
import { matchesEtag } from '../http/etags.ts'
import { FILE_HEADERS, serveFile } from '../uploads/file-routes.ts'
import type { Uploads } from '../uploads/uploads.ts'
import type { Thumbnails } from '../uploads/thumbnails.ts'
import { readShownPicture, REVIEW_PICTURES_PATH, THUMBNAIL } from './review-pictures.ts'

interface Options {
  db: Db
  uploads: Uploads
  thumbnails: Thumbnails
}

/** The pictures of a review that was hidden are gone from caches after five minutes. */
const CACHE_CONTROL = 'public, max-age=300'
const NOT_FOUND = { error: 'Picture not found' }

/** Registers `/media/reviews/{id}` and `/media/reviews/{id}/thumbnail`: the pictures of reviews that are shown. */
export function reviewPictureRoutes(app: Hono<Env>, { db, uploads, thumbnails }: Options): void {
  app.get(`${REVIEW_PICTURES_PATH}/:id`, async c => {
    const picture = await countMissing(c, () => readShownPicture(db, c.req.param('id')))
    if (!picture) return c.json(NOT_FOUND, 404, { 'Cache-Control': 'no-store' })
    // Only the customer and the operators see how the customer named the file.
    const originalName = picture.mimeType.replace('image/', 'review.')
    return serveFile(c, uploads, { ...picture, type: 'image', originalName }, CACHE_CONTROL)
  })

  app.get(`${REVIEW_PICTURES_PATH}/:id/${THUMBNAIL}`, async c => {
    const picture = await countMissing(c, () => readShownPicture(db, c.req.param('id')))
    const headers = { ...FILE_HEADERS, 'Cache-Control': CACHE_CONTROL, ETag: `"${picture?.id}-${THUMBNAIL}"` }
    if (picture && matchesEtag(c.req.header('If-None-Match'), headers.ETag)) return c.body(null, 304, headers)
    const thumbnail = picture && (await thumbnails.read(picture.key))
    if (!thumbnail) return c.json(NOT_FOUND, 404, { 'Cache-Control': 'no-store' })
    return c.body(new Uint8Array(thumbnail), 200, { ...headers, 'Content-Type': 'image/webp' })
  })
}
