import type { Context, MiddlewareHandler } from 'hono'
import { clientAddressOf, OWN_REQUEST } from './client-address.ts'
import { connectionAddress } from './connection-address.ts'
import type { Env } from './env.ts'
import { isFromPage, SIGNATURE_HEADER } from './signature.ts'

interface Options {
  trustedProxies: number
  purgeSecret?: string | undefined
}

/** Sets `c.var.ip`: the client's address, or `OWN_REQUEST` if this process or a page with a valid signature asks. */
export function clientIp({ trustedProxies, purgeSecret }: Options): MiddlewareHandler<Env> {
  return async (c, next) => {
    const incoming = c.env?.incoming
    const isOwn = !incoming || (purgeSecret !== undefined && isPageOf(purgeSecret, c))
    const forwardedFor = c.req.header('x-forwarded-for')
    c.set('ip', isOwn ? OWN_REQUEST : clientAddressOf(connectionAddress(incoming.socket), forwardedFor, trustedProxies))
    await next()
  }
}

function isPageOf(secret: string, c: Context): boolean {
  if (!c.req.header(SIGNATURE_HEADER)) return false
  const { pathname, search } = new URL(c.req.url)
  return c.req.method === 'GET' && isFromPage(secret, pathname + search, name => c.req.header(name))
}
