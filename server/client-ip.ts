import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import ipaddr from 'ipaddr.js'
import type { Config } from './config.ts'
import type { Env } from './mount.ts'
import { isFromPage, SIGNATURE_HEADER } from './pages/signature.ts'

/** Names and mail addresses, most of what is counted, are told from addresses at once. */
const LIKE_ADDRESS = /^[\d.a-fx:]+(%\w+)?$/i

type Options = Pick<Config, 'trustedProxies' | 'purgeSecret'>

/** Sets `ip`, the address of whoever asks, for what comes after; pages have none, also those of a storefront elsewhere. */
export function clientIp({ trustedProxies, purgeSecret }: Options): MiddlewareHandler<Env> {
  return async (c, next) => {
    const isPage = purgeSecret !== undefined && isPageOf(purgeSecret, c)
    c.set('ip', isPage ? undefined : addressOf(socketAddress(c), c.req.header('x-forwarded-for'), trustedProxies))
    await next()
  }
}

function isPageOf(secret: string, c: Context): boolean {
  if (!c.req.header(SIGNATURE_HEADER)) return false
  const { pathname, search } = new URL(c.req.url)
  return c.req.method === 'GET' && isFromPage(secret, pathname + search, name => c.req.header(name))
}

/**
 * The client's address: the socket's, or as many hops to its left in X-Forwarded-For as proxies are trusted. What
 * stands further left is the client's own word. Undefined without a socket: a page of this process asks.
 */
export function addressOf(
  socket: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string | undefined {
  if (!socket) return undefined
  const hops = [...(forwardedFor?.split(',') ?? []), socket].map(hop => hop.trim())
  const known = hops.slice(Math.max(hops.length - 1 - trustedProxies, 0))
  const address = known.find(hop => ipaddr.isValid(hop))
  return address && ipaddr.process(address).toString()
}

/** An address as limits count it: of IPv6 the network, since one household has 2^64 addresses. Other texts stay as they are. */
export function networkOf(key: string): string {
  if (!LIKE_ADDRESS.test(key) || !ipaddr.isValid(key)) return key
  const address = ipaddr.process(key)
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  const network = address.parts.slice(0, 4).map(part => part.toString(16))
  return `${network.join(':')}::/64`
}

function socketAddress(c: Context): string | undefined {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>
  return incoming?.socket.remoteAddress
}
