import { existsSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname, join, resolve } from 'node:path'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import type { Logger } from 'pino'
import { SOCKET_PATH } from '#contract/realtime.ts'
import { clientAddress } from './http/client-address.ts'
import type { Config } from './config.ts'
import { contentPaths } from './content/paths.ts'
import { openContent } from './content/published.ts'
import { lacksPictures } from './operators/data-checks.ts'
import { listenForOperators } from './operators/control.ts'
import { reasonOf } from './db/errors.ts'
import { isProcessEvent } from './db/process-events.ts'
import type { Db } from './db/types.ts'
import { createDemo } from './operators/demo/seed.ts'
import { createForwarder } from './http/forward.ts'
import { securityHeaders } from './http/headers.ts'
import { openLimits } from './http/limits.ts'
import type { CdnConfig } from './page-cache/cdn/config.ts'
import { LEASE_SECONDS, openCdnPurger } from './page-cache/cdn/purger.ts'
import { cacheResponses } from './page-cache/response-cache.ts'
import { createPurgeReceiver } from './page-cache/purge-receiver.ts'
import { createPurgeSender } from './page-cache/purge-sender.ts'
import { createPages } from './page-cache/pages.ts'
import type { Render } from './page-cache/renders.ts'
import type { Instruments } from './platform/instruments.ts'
import { openLease } from './platform/leases.ts'
import { findBuild, loadStorefront, renderingAt } from './page-cache/storefront.ts'
import { pathsToWarm } from './page-cache/warm.ts'
import { paymentMethods } from './payments/providers/config.ts'
import { openProvider, type Provider } from './provider.ts'
import { createStatic } from './http/static.ts'

export interface ShopProcess {
  /** Null if the provider is another process. */
  provider: Provider | null
  /** Responds to a request for a stored page; returns false for any other request. */
  sendStored(req: IncomingMessage, res: ServerResponse): boolean
  /** Whether requests for this URL are long polls: each open browser window always has one. */
  isLasting(url: string): boolean
  /** Responds to all requests that `sendStored` does not. */
  handle(req: IncomingMessage, res: ServerResponse): void
  /** Accepts a WebSocket. */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Renders the pages that shoppers request first; resolves once they are stored. */
  warm(): Promise<void>
  /** Starts working on the queued jobs, such as mails from before a restart, and the regular upkeep. */
  startWork(): Promise<void>
  /** Asks the WebSockets to connect to another process, one by one within `spreadMs`. */
  drain(spreadMs: number): Promise<void>
  /** Closes long polls and WebSockets, which would stay open as long as their browser window does. */
  hangUp(): Promise<void>
  close(): Promise<void>
}

/** Maximum age of stored pages when the provider is another process, which may not report its changes. */
const REMOTE_MAX_AGE_SECONDS = 60
const API = /^\/(api|media)(\/|\?|$)/
const SOCKET = new RegExp(`^${SOCKET_PATH}(/|\\?|$)`)

/** Composes the process: stored pages, the API and pictures, built files, then Astro. */
export async function openShopProcess(config: Config, log: Logger, instruments?: Instruments): Promise<ShopProcess> {
  const dist = resolve(config.distDir)
  const folder = findBuild(dist)
  const { list } = contentPaths(dist)
  if (!existsSync(list)) throw new Error(`there are no policy pages in ${list}: npm run build`)
  const forwarder = config.providerUrl ? createForwarder({ ...config, providerUrl: config.providerUrl, log }) : null
  // In parallel: the database opens in another thread or process.
  const [provider, renderPage] = await Promise.all([
    forwarder ? null : openProvider(config, log, { onQuery: instruments?.query }),
    loadStorefront(folder),
  ])
  if (provider && config.isDemo) await createDemo(provider).seed()
  if (provider) await reportMissingPictures(provider)
  const fetch = provider?.fetch ?? forwarder!.fetch

  const limits = provider?.limits ?? openLimits({ rules: config.limits })
  const responseCache = provider ? cacheResponses(provider.fetchInProcess) : null

  const headers = securityHeaders(config)
  const content = openContent({ distDir: dist, headers, log, onChange: purgeContent })
  const { publicUrl, merchantUrl, supportEmail, paymentSources } = config
  const locals = {
    provider: responseCache?.fetch ?? fetch,
    settings: { publicUrl, merchantUrl, supportEmail, paymentSources, paymentMethods: paymentMethods(config.payment) },
    get policies() {
      return content.published().policies
    },
    get introductions() {
      return content.published().introductions
    },
  }
  const pages = createPages({
    render: timed(renderingAt(renderPage, { publicUrl, locals }), instruments),
    onSent: instruments?.page,
    log,
    headers,
    countRender: req => limits.take('render', clientAddress(req, config.trustedProxies)),
    cdn: config.cdn,
    ...(provider ? {} : { maxAgeSeconds: REMOTE_MAX_AGE_SECONDS }),
  })
  const cdn = provider && config.cdn ? openCdn(config.cdn, provider.database.db, log) : null
  function purgeContent(): void {
    pages.purge(null)
    cdn?.purge(null)
  }
  const purge = (tag: string | null) => {
    responseCache?.purge()
    pages.purge(tag)
  }
  const files = createStatic({ folder, headers, builds: dirname(folder) })
  const receivePurge = createPurgeReceiver({ secret: config.purgeSecret, purge })
  const handleApi = forwarder ? forwarder.forward : getRequestListener(fetch, { overrideGlobalObjects: false })
  const sender = config.purgeSecret
    ? createPurgeSender({ urls: config.purgeUrls, secret: config.purgeSecret, log })
    : null
  await provider?.database.onChange(tag => {
    if (isProcessEvent(tag)) return
    purge(tag)
    sender?.send(tag)
    cdn?.purge(tag)
  })
  const operators = provider ? await listenForOperators({ ...provider, address: localAddress(config) }, log) : null

  return {
    provider,
    sendStored: pages.hit,
    isLasting: url => SOCKET.test(url),
    handle(req, res) {
      const url = req.url ?? '/'
      if (API.test(url) || SOCKET.test(url)) {
        for (const [name, value] of headers) res.setHeader(name, value)
        if (provider && SOCKET.test(url)) provider.realtime.handle(req, res)
        else void handleApi(req, res)
      } else if (url === '/internal/purge') void receivePurge(req, res)
      else files(req, res, () => content.serve(req, res, () => void pages.serve(req, res)))
    },
    upgrade(req, socket, head) {
      if (!SOCKET.test(req.url ?? '')) socket.destroy()
      else if (forwarder) void forwarder.upgrade(req, socket, head)
      else provider?.realtime.upgrade(req, socket, head)
    },
    warm: () => pages.warm(pathsToWarm(fetch, content.published().policies)),
    startWork: async () => provider?.start(),
    drain: async spreadMs => provider?.realtime.drain(spreadMs),
    async hangUp() {
      forwarder?.hangUp()
      await provider?.realtime.hangUp()
    },
    async close() {
      content.close()
      await operators?.close()
      await pages.close()
      await sender?.close()
      await cdn?.close()
      forwarder?.close()
      await provider?.close()
    },
  }
}

/** A bucket that cannot be reached does not keep the shop from starting. */
async function reportMissingPictures({ database, media, config }: Provider): Promise<void> {
  const folder = join(config.dataDir, 'media')
  try {
    if (!(await lacksPictures(database.db, media))) return
    if (config.s3)
      console.log(`There are no pictures in ${folder} or the bucket ${config.s3.bucket}: is it the right one?`)
    else
      console.log(`There are no pictures in ${folder}: set MEDIA_DIR to the folder that has them, or S3_… to a bucket.`)
  } catch (error) {
    if (!config.s3) throw error
    console.log(`The bucket ${config.s3.bucket} cannot be reached: ${reasonOf(error)}`)
  }
}

function timed(render: Render, instruments: Instruments | undefined): Render {
  if (!instruments) return render
  return async url => {
    const startedAt = performance.now()
    try {
      return await render(url)
    } finally {
      instruments.render(performance.now() - startedAt)
    }
  }
}

function openCdn(cdn: CdnConfig, db: Db, log: Logger) {
  return openCdnPurger({ cdn, lease: openLease(db, { name: 'cdn-purge', seconds: LEASE_SECONDS }), log })
}

/** The URL at which other processes on this machine reach the shop. */
export function localAddress({ host, port }: Config): string {
  const isEverywhere = host === '0.0.0.0' || host === '::'
  return `http://${isEverywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`
}
