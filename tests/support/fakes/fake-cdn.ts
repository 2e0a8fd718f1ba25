import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { CdnConfig, CdnService } from '#server/page-cache/cdn/config.ts'
import { listen } from './http.ts'

interface Copy {
  body: string
  keys: Set<string>
  expiresAt: number
}

/** The keys of a purge, or why the service rejects the request. */
type Read = { keys: string[] } | { status: number; body: object }

const KEY = 'the key of the account'
const [FASTLY, CLOUDFLARE] = ['/service/SU1Z0isxPaozGVKXdv0eY', '/client/v4/zones/023e105f4ecef8ad9ca31a8372d0c353']

/** Each service's own description of its purge requests: method, address, authorization, limits. */
const READERS: Record<CdnService, (req: IncomingMessage, body: string) => Read | null> = {
  varnish({ method, headers }) {
    if (method !== 'PURGE') return null
    if (headers.authorization !== `Bearer ${KEY}`) return { status: 403, body: {} }
    return { keys: String(headers.xkey ?? '').split(' ') }
  },
  fastly({ method, url, headers }, body) {
    if (method !== 'POST' || url !== `${FASTLY}/purge`) return null
    if (headers['fastly-key'] !== KEY)
      return { status: 401, body: { msg: 'Provided credentials are missing or invalid' } }
    const { surrogate_keys: keys } = JSON.parse(body) as { surrogate_keys: string[] }
    return keys.length > 256 ? { status: 400, body: { msg: 'Too many keys' } } : { keys }
  },
  cloudflare({ method, url, headers }, body) {
    if (method !== 'POST' || url !== `${CLOUDFLARE}/purge_cache`) return null
    if (headers.authorization !== `Bearer ${KEY}`) return { status: 403, body: { success: false } }
    const { tags } = JSON.parse(body) as { tags: string[] }
    // Cloudflare reports some errors with status 200.
    return tags.length > 100 ? { status: 200, body: { success: false, errors: [{ code: 1094 }] } } : { keys: tags }
  },
}

/**
 * A CDN on 127.0.0.1 in front of `origin`: keeps pages for as long as their headers say, and takes the purge requests
 * of one service. `purges` lists the keys of each.
 */
export async function startFakeCdn(service: CdnService, origin: () => string = () => '') {
  const copies = new Map<string, Copy>()
  const purges: string[][] = []
  let rejections = 0

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const read = READERS[service](req, await text(req))
    if (!read) return sendPage(req.url ?? '/', res)
    if (rejections > 0) {
      rejections -= 1
      res.writeHead(429, { 'retry-after': '1' }).end()
      return
    }
    if ('status' in read) {
      res.writeHead(read.status, { 'content-type': 'application/json' }).end(JSON.stringify(read.body))
      return
    }
    purges.push(read.keys)
    for (const [url, { keys }] of copies) if (read.keys.some(key => keys.has(key))) copies.delete(url)
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ success: true, status: 'ok' }))
  }

  async function sendPage(url: string, res: ServerResponse): Promise<void> {
    const known = copies.get(url)
    const copy = known && known.expiresAt > Date.now() ? known : await fetchPage(url)
    res.writeHead(200, { 'content-type': 'text/html', 'x-cdn': copy === known ? 'HIT' : 'MISS' }).end(copy.body)
  }

  async function fetchPage(url: string): Promise<Copy> {
    const response = await fetch(origin() + url)
    const { headers } = response
    const keys =
      service === 'cloudflare' ? headers.get('cache-tag')?.split(',') : headers.get('surrogate-key')?.split(' ')
    const kept = headers.get('surrogate-control') ?? headers.get('cache-control') ?? ''
    const seconds = Number(/(?:s-maxage|^max-age)=(\d+)/.exec(kept)?.[1] ?? 0)
    const copy = { body: await response.text(), keys: new Set(keys), expiresAt: Date.now() + seconds * 1000 }
    copies.set(url, copy)
    return copy
  }

  const server = await listen((req, res) => void answer(req, res))
  const path = { varnish: '', fastly: FASTLY, cloudflare: CLOUDFLARE }[service]
  return {
    url: server.url,
    config: { service, urls: [server.url + path], key: KEY } satisfies CdnConfig,
    purges,
    /** Rejects the next `count` purges with 429. */
    reject: (count: number) => void (rejections = count),
    close: server.close,
  }
}
