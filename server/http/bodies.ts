import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'

/** Rejects bodies of more than `maxSize` bytes with a 413, also those without a Content-Length. */
export function bodiesUpTo(maxSize: number): MiddlewareHandler {
  const tooLarge = (c: Context) => c.json({ error: 'The body is too large' }, 413)
  const limit = bodyLimit({ maxSize, onError: tooLarge })
  return async (c, next) => {
    const { url, method, headers } = c.req.raw
    if (method === 'GET' || method === 'HEAD') return next()
    // Checked first: accessing `body` makes @hono/node-server build a Request, which costs more than reading the body.
    const hasLength = headers.has('content-length') && !headers.has('transfer-encoding')
    if (hasLength) return Number(headers.get('content-length')) > maxSize ? tooLarge(c) : next()
    const { body, signal } = c.req.raw
    // Hono clones a request without a Content-Length, and the request of @hono/node-server cannot be cloned.
    if (body) c.req.raw = new Request(url, { method, headers, body, signal, duplex: 'half' } as RequestInit)
    return limit(c, next)
  }
}
