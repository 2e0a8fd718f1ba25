import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'

/** Refuses (413) a body of more than `maxSize` bytes, also one whose length is not told. */
export function bodiesUpTo(maxSize: number): MiddlewareHandler {
  const tooLarge = (c: Context) => c.json({ error: 'The body is too large' }, 413)
  const limit = bodyLimit({ maxSize, onError: tooLarge })
  return async (c, next) => {
    const { url, method, headers } = c.req.raw
    if (method === 'GET' || method === 'HEAD') return next()
    // Asking @hono/node-server for the body makes a whole Request of it, which costs more than reading it.
    const isTold = headers.has('content-length') && !headers.has('transfer-encoding')
    if (isTold) return Number(headers.get('content-length')) > maxSize ? tooLarge(c) : next()
    const { body, signal } = c.req.raw
    // Hono copies a body of untold length, and what @hono/node-server makes of a request is no Request to copy.
    if (body) c.req.raw = new Request(url, { method, headers, body, signal, duplex: 'half' } as RequestInit)
    return limit(c, next)
  }
}
