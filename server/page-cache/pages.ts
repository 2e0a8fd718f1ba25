import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { RawHeaders } from '../http/headers.ts'
import { TooManyRequestsError } from '../platform/errors.ts'
import { type Paths, renderAhead } from './render-ahead.ts'
import { type CacheState, createPageSender } from './send-page.ts'
import type { CdnConfig } from './cdn/config.ts'
import { type Address, pageAddressOf } from './key.ts'
import { countHit, repack, type Page } from './page.ts'
import { createPlainSender } from './send-plain.ts'
import { createRenders, type Render } from './renders.ts'
import { createStore } from './store.ts'

interface Options {
  render: Render
  log: Pick<Logger, 'error' | 'warn'>
  /** Headers of every page (`http/headers.ts`). */
  headers?: RawHeaders
  maxBytes?: number
  /** Called for each page that is sent. */
  onSent?: ((state: CountedState) => void) | undefined
  /** The CDN that keeps pages until `cdn/purger.ts` purges them. */
  cdn?: CdnConfig | null
  /** For a provider that does not report changes: stored pages are rendered again after this time. */
  maxAgeSeconds?: number
  /**
   * Counts a render against the limit of the request's client; throws `TooManyRequestsError` when the limit is reached.
   */
  countRender?: (req: IncomingMessage) => Promise<void>
}

interface Sent {
  /** Its canonical address. */
  url: string
  page: Page
  state: CacheState
  /** As what it is counted, if not as its state. */
  counted?: CountedState
}

/** `UPDATING`: older than it may be, and being rendered again. `STALE`: it could not be rendered again. */
type CountedState = CacheState | 'UPDATING'

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024

/** Serves the shop's pages from memory, compressed; renders a page only when it is missing or its data has changed. */
export function createPages(options: Options) {
  const { render, log, headers = [], maxBytes = DEFAULT_MAX_BYTES, maxAgeSeconds, cdn = null, onSent } = options
  const store = createStore(maxBytes)
  const renders = createRenders(render, store, log)
  const send = createPageSender(headers, cdn)
  const { sendText, sendBusy, sendTooMany } = createPlainSender(headers)
  let warming: Promise<void> | undefined
  let isClosed = false

  /** Sends the stored page and returns true if the request has its canonical URL and the page is up to date. */
  function hit(req: IncomingMessage, res: ServerResponse): boolean {
    if (req.method !== 'GET' && req.method !== 'HEAD') return false
    const url = req.url ?? '/'
    const page = store.get(url)
    if (!page || !isCurrent(page, maxAgeSeconds)) return false
    sendPage(req, res, { url, page, state: 'HIT' })
    const quality = countHit(page)
    if (quality) void packAgain(url, page, quality)
    return true
  }

  async function packAgain(url: string, page: Page, quality: number): Promise<void> {
    try {
      await repack(page, quality)
      if (store.get(url) === page) store.put(url, page)
    } catch (error) {
      log.error({ err: error, url }, 'a page could not be compressed')
    }
  }

  function sendPage(req: IncomingMessage, res: ServerResponse, { url, page, state, counted = state }: Sent): void {
    onSent?.(counted)
    send(req, res, page, state)?.then(
      // The page has grown by a new encoding; update its size in the store.
      () => store.get(url) === page && store.put(url, page),
      (error: unknown) => {
        log.error({ err: error, url }, 'a page could not be sent')
        res.destroy()
      },
    )
  }

  /** Responds to any request for a page. Never rejects. */
  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (req.method !== 'GET' && req.method !== 'HEAD')
      return sendText(res, 405, 'Method not allowed', ['allow', 'GET, HEAD'])
    if (hit(req, res)) return
    const address = pageAddressOf(req.url ?? '/')
    if (!address) return sendText(res, 400, 'This address cannot be read')
    if (address.redirect) return sendText(res, 301, 'Moved', ['location', address.redirect])

    const stored = store.get(address.url)
    if (!stored || stored.isPurged) return renderAndSend(req, res, address)
    if (isCurrent(stored, maxAgeSeconds)) return sendPage(req, res, { url: address.url, page: stored, state: 'HIT' })
    sendPage(req, res, { url: address.url, page: stored, state: 'STALE', counted: 'UPDATING' })
    await renders.fresh(address)
  }

  /** If the page cannot be rendered, sends the stored one, however old it is. */
  async function renderAndSend(req: IncomingMessage, res: ServerResponse, address: Address): Promise<void> {
    // Visitors who share a running render cause no work and are not counted.
    const tooOften = renders.isUnderWay(address) ? null : await countedTooOften(req, options)
    const page = tooOften ? null : await renders.fresh(address)
    const outdated = page && page.status < 500 ? undefined : store.get(address.url)
    if (outdated) sendPage(req, res, { url: address.url, page: outdated, state: 'STALE' })
    else if (page) sendPage(req, res, { url: address.url, page, state: 'MISS' })
    else if (tooOften) sendTooMany(res, tooOften)
    else sendBusy(res)
  }

  return {
    hit,
    serve,
    /** Data with this tag (`null`: all data) has changed: the next request renders the page again. */
    purge(tag: string | null): void {
      store.purge(tag)
      renders.purge(tag)
    },
    /** Renders pages that are not stored yet. Never rejects. */
    warm: (paths: Paths) => (warming = renderAhead(paths, { store, renders, log, isClosed: () => isClosed })),
    clear: store.clear,
    size: () => ({ pages: store.count(), bytes: store.bytes(), tags: store.tagCount() }),
    /** Resolves when no page is being rendered, so that the caller may close the provider. */
    async close(): Promise<void> {
      isClosed = true
      await warming
      await renders.settled()
      store.clear()
    },
  }
}

function isCurrent(page: Page, maxAgeSeconds = Infinity): boolean {
  if (page.isPurged) return false
  const seconds = Math.min(page.maxAgeSeconds ?? Infinity, maxAgeSeconds)
  // `renderedAt` may be in the future if the clock was set back.
  return Math.abs(Date.now() - page.renderedAt) < seconds * 1000
}

/** Counts a render for the client; the error if its limit is reached, else null. */
async function countedTooOften(
  req: IncomingMessage,
  { countRender, log }: Pick<Options, 'countRender' | 'log'>,
): Promise<TooManyRequestsError | null> {
  try {
    await countRender?.(req)
    return null
  } catch (error) {
    if (error instanceof TooManyRequestsError) return error
    log.error({ err: error, path: req.url }, 'a page could not be counted')
    return null
  }
}
