import type { IncomingMessage, ServerResponse } from 'node:http'
import { matchesEtag } from '../http/etags.ts'
import { sendBody } from '../http/send-body.ts'
import { chooseEncoding, type Encoding } from '../http/encoding.ts'
import type { RawHeaders } from '../http/headers.ts'
import type { CdnConfig } from './cdn/config.ts'
import { cdnHeaders } from './cdn/headers.ts'
import { bodyOf, etagOf, type Page, type ReadyPage } from './page.ts'

export type CacheState = 'HIT' | 'MISS' | 'STALE'

/**
 * Browsers revalidate each time (304 is cheap); a CDN may keep a copy for a minute. Without `stale-while-revalidate`,
 * which browsers follow, too: they would show an outdated page before they ask.
 */
const STORED = 'public, max-age=0, s-maxage=60'
const STALE = 'public, max-age=0'
const RENDERED_EACH_TIME = 'private, no-cache'
const UNSTORABLE = 'no-store'
const RETRY_SECONDS = '5'

/** Returns a function that sends pages, all of them with the `shared` headers. */
export function createPageSender(shared: RawHeaders, cdn: CdnConfig | null) {
  function headOf(page: Page, encoding: Encoding, state: CacheState): string[] {
    // A page's own header replaces the shared one: it may be stricter.
    const others = shared.filter(([name]) => !page.headers.some(([own]) => own === name))
    const headers: RawHeaders = [
      ...others,
      ...page.headers.filter(([name]) => !(name === 'cache-control' && isStored(page)) && name !== 'vary'),
      ['vary', 'Accept-Encoding'],
      ['x-cache', state],
    ]
    const ofCdn = cdn && isStored(page) && isCurrent(page, state) ? cdnHeaders(cdn, page) : null
    if (ofCdn) headers.push(...ofCdn)
    else if (!headers.some(([name]) => name === 'cache-control'))
      headers.push(['cache-control', cacheControlOf(page, state)])
    if (page.status === 200) headers.push(['etag', etagOf(page)])
    if (page.status === 503 && !headers.some(([name]) => name === 'retry-after'))
      headers.push(['retry-after', RETRY_SECONDS])
    if (encoding !== 'identity') headers.push(['content-encoding', encoding])
    return headers.flat()
  }

  function writePage(req: IncomingMessage, res: ServerResponse, page: Page, { head, body }: ReadyPage): void {
    if (page.status === 200 && matchesEtag(req.headers['if-none-match'], etagOf(page))) {
      res.writeHead(304, withoutBody(head))
      res.end()
      return
    }
    res.writeHead(page.status, head)
    if (req.method === 'HEAD') res.end()
    else sendBody(res, body)
  }

  /** Sends at once, or returns a promise when the body has to be compressed or decompressed first. */
  return function send(
    req: IncomingMessage,
    res: ServerResponse,
    page: Page,
    state: CacheState,
  ): Promise<void> | undefined {
    const encoding = page.isEmpty ? 'identity' : chooseEncoding(req.headers['accept-encoding'])
    const ready = state === 'HIT' ? page.ready[encoding] : undefined
    if (ready) {
      writePage(req, res, page, ready)
      return undefined
    }
    const body = bodyOf(page, encoding)
    const finish = (made: Buffer) => {
      const head = [...headOf(page, encoding, state), 'content-length', String(made.length)]
      const complete = { head, body: made }
      if (state === 'HIT' && page.bodies[encoding] === made) page.ready[encoding] = complete
      writePage(req, res, page, complete)
    }
    if (!Buffer.isBuffer(body)) return body.then(finish)
    finish(body)
    return undefined
  }
}

function withoutBody(head: string[]): string[] {
  return head.filter((_, at) => !/^content-(type|encoding|length)$/.test(head[at - (at % 2)] ?? ''))
}

const isStored = (page: Page) => page.tags.length > 0
/** False for a page that was purged while it was rendered: a CDN would keep it, because its own purge came earlier. */
const isCurrent = (page: Page, state: CacheState) => state !== 'STALE' && !page.isPurged

function cacheControlOf(page: Page, state: CacheState): string {
  if (isStored(page)) return isCurrent(page, state) ? STORED : STALE
  return page.status < 400 ? RENDERED_EACH_TIME : UNSTORABLE
}
