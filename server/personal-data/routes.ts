import { Readable } from 'node:stream'
import type { Hono } from 'hono'
import * as contract from '#contract/profile.ts'
import { refreshCookie } from '../accounts/refresh-cookie.ts'
import type { Passwords } from '../accounts/passwords.ts'
import { provePassword } from '../accounts/profile-routes.ts'
import type { Sessions } from '../accounts/sessions.ts'
import type { Db } from '../db/types.ts'
import type { Env } from '../http/env.ts'
import { mount, originOf, signedIn } from '../http/mount.ts'
import { NOTHING_HERE, NotFoundError } from '../platform/errors.ts'
import type { Downloads } from './downloads.ts'

interface Options {
  db: Db
  passwords: Passwords
  sessions: Sessions
  downloads: Downloads
  config: { publicUrl: string }
}

const HEADERS = {
  'Content-Type': 'application/zip',
  'Content-Disposition': 'attachment; filename="my-data.zip"',
  'Referrer-Policy': 'no-referrer',
}

/** Registers the call for an address, and `/api/customer/data/{sessionId}`, where the archive is. */
export function personalDataRoutes(app: Hono<Env>, options: Options): void {
  const { sessions, downloads, config } = options
  const cookie = refreshCookie(config.publicUrl)

  mount(app, contract.requestData, async ({ password }, c) => {
    const { id, sessionId } = signedIn(c)
    downloads.checkRoom(id)
    await provePassword(c, options, password)
    await c.get('limits').take('dataDownload', id)
    const query = await downloads.request({ id, sessionId }, originOf(c))
    return { url: `/api${contract.requestData.path}/${sessionId}?${query}` }
  })

  app.get(`${contract.requestData.path}/:sessionId`, async c => {
    const sessionId = c.req.param('sessionId')
    const { expires = '', signature = '' } = c.req.query()
    const isValid = downloads.secondsLeft({ id: sessionId, expires, signature }) > 0
    const session = isValid ? await downloads.findSession(sessionId) : null
    if (!session) throw new NotFoundError(NOTHING_HERE)
    const refreshToken = cookie.read(c)
    const isOwn = refreshToken !== undefined && (await sessions.provenBy(refreshToken, undefined)) === sessionId
    // Browsers with a fallback session store no cookie, so the signed address alone authorises them.
    if (!isOwn && !session.isFallback) throw new NotFoundError(NOTHING_HERE)
    if (c.req.method === 'HEAD') return c.body(null, 200, HEADERS)
    downloads.checkRoom(session.userId)
    await c.get('limits').take('dataDownload', session.userId)
    const archive = await downloads.open(session.userId, originOf(c))
    return c.body(Readable.toWeb(archive) as ReadableStream, 200, HEADERS)
  })
}
