import cluster from 'node:cluster'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { startCluster } from './operators/cluster.ts'
import { type Config, ConfigError, mailProblems, readConfig, readEnvFile } from './config.ts'
import { reasonOf } from './db/errors.ts'
import { DEMO_CUSTOMER } from './operators/demo/customer.ts'
import { openAccessLog } from './http/access-log.ts'
import { readAddresses } from './http/connection-address.ts'
import { manageConnections, type Connections } from './http/connections.ts'
import { connectionLimit } from './http/descriptors.ts'
import { openProbes, type Probes } from './http/probes.ts'
import { sendUnavailable } from './http/unavailable.ts'
import type { Metrics } from './operators/metrics/metrics.ts'
import { openLog } from './platform/log.ts'
import { localAddress, openShopProcess, type ShopProcess } from './process.ts'
import { cutSlowBodies } from './http/slow-bodies.ts'
import { takesFiles } from './http/csrf.ts'

const HEADERS_MS = 10_000
const BODY_MS = 20_000
/** Long enough to upload 60 MB, the most that one message may hold, at half a megabit a second. */
const FILES_MS = 16 * 60_000
/** The request line may hold an absolute URL, as the ones that clients send to proxies do. */
const ORIGIN = /^https?:\/\/[^/?]*/i
/**
 * How long an idle connection stays open: longer than shoppers look at a page, because a new one costs a round trip,
 * and than the 60 s of most proxies, because a request on a connection that is just being closed fails.
 */
const IDLE_MS = 65_000
/** How often Node checks for requests that have timed out. */
const CHECK_MS = 2000
/** From SIGTERM to the end: service managers wait 30 s, and then kill. */
const ENDING_MS = 29_000
/** What is left of that for the jobs and the database, once all connections are closed. */
const DATABASE_MS = 8000
/** Share of all connections that one client may have: less than the share that short requests may hold open. */
const CLIENT_SHARE = 0.2

interface Opened {
  shop: ShopProcess
  metrics: Metrics | null
}

/** Starts the shop with the configuration from the environment. On failure, prints the reason and exits with 1. */
export async function start(): Promise<void> {
  try {
    readEnvFile()
    const config = readConfig()
    const log = openLog({ level: config.logLevel })
    // An error in one request must not end the process for all others.
    process.on('unhandledRejection', error => log.error({ err: error }, 'unhandled rejection'))
    if (config.processes > 1 && cluster.isPrimary) return await startCluster(config, log)
    const metrics = config.metrics ? await loadMetrics(log) : null
    const shop = await openShopProcess(config, log, metrics ?? undefined)
    if (config.metrics) await metrics?.listen(config.metrics, shop.provider)
    await serve(config, { shop, metrics }, log)
    flushCompileCache()
  } catch (error) {
    console.error(readable(error))
    process.exit(1)
  }
}

/** Loaded on first use. */
async function loadMetrics(log: Logger): Promise<Metrics> {
  const { openMetrics } = await import('./operators/metrics/metrics.ts')
  return openMetrics(log)
}

async function serve(config: Config, { shop, metrics }: Opened, log: Logger): Promise<void> {
  const server = createServer({
    headersTimeout: HEADERS_MS,
    requestTimeout: FILES_MS,
    keepAliveTimeout: IDLE_MS,
    connectionsCheckingInterval: CHECK_MS,
    shouldUpgradeCallback: asksForSocket,
  })
  readAddresses(server)
  const maxConnections = connectionLimit(config.maxConnections, log)
  const accessLog = openAccessLog(log)
  const probes = openProbes()
  const connections = manageConnections(server, {
    maxConnections,
    maxPerClient: Math.ceil(maxConnections * CLIENT_SHARE),
    trustedProxies: config.trustedProxies,
    handle(request, response) {
      request.url = pathOf(request)
      accessLog?.request(request, response)
      metrics?.request(request, response)
      cutSlowBodies(request, { ms: BODY_MS, isLarge: takesFiles })
      try {
        if (probes.handle(request, response) || shop.sendStored(request, response)) return
        const isHeld = connections.hold(response, shop.isLasting(request.url) ? 'lasting' : 'short')
        if (isHeld) shop.handle(request, response)
        else sendUnavailable(response)
      } catch (error) {
        log.error({ err: error, path: request.url }, 'a request could not be handled')
        if (response.headersSent) response.destroy()
        else response.writeHead(500, { 'cache-control': 'no-store' }).end()
      }
    },
    upgrade(request, socket, head) {
      request.url = pathOf(request)
      accessLog?.upgrade(request, socket)
      shop.upgrade(request, socket, head)
    },
  })
  // Otherwise the first orders would wait until jobs can be stored. Other processes serve them meanwhile.
  if (config.databaseUrl) await startWork(shop, log)
  closeOnSignal({ server, connections, probes, shop, drainMs: config.drainSeconds * 1000 })
  try {
    server.listen({ port: config.port, host: config.host, backlog: config.maxConnections })
    await once(server, 'listening')
  } catch (error) {
    await shop.close()
    throw error
  }
  // Of several processes, only the first one prints the greeting.
  if (cluster.isPrimary || cluster.worker?.id === 1) console.log(greeting(config))
  await shop.warm().catch((error: unknown) => log.warn({ err: error }, 'the pages could not be warmed'))
  if (!config.databaseUrl) await startWork(shop, log)
}

async function startWork(shop: ShopProcess, log: Logger): Promise<void> {
  await shop.startWork().catch((error: unknown) => log.error({ err: error }, 'the jobs could not be started'))
}

/** The path and query of a request, without the origin of an absolute URL. */
function pathOf({ url = '/' }: IncomingMessage): string {
  return url.startsWith('/') ? url : url.replace(ORIGIN, '') || '/'
}

/** Only WebSocket upgrades count: a request that offers HTTP/2 (`Upgrade: h2c`) is served as plain HTTP/1.1. */
function asksForSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

interface Running {
  server: Server
  connections: Connections
  probes: Probes
  shop: ShopProcess
  /** How long the process goes on listening after SIGTERM. */
  drainMs: number
}

/** On SIGTERM, keeps listening for `drainMs`, which a second signal cuts short; on SIGINT, closes at once. */
function closeOnSignal({ server, connections, probes, shop, drainMs }: Running): void {
  const drainEnd = new AbortController()
  let isClosing = false
  const drain = async () => {
    probes.close()
    connections.drain()
    void shop.drain(drainMs)
    await sleep(drainMs, undefined, { signal: drainEnd.signal }).catch(() => undefined)
  }
  const close = async (signal: NodeJS.Signals) => {
    if (isClosing) return drainEnd.abort()
    isClosing = true
    const endsAt = performance.now() + ENDING_MS
    const isDrained = signal === 'SIGTERM' && drainMs > 0
    if (isDrained) await drain()
    setTimeout(() => process.exit(1), endsAt - performance.now()).unref()
    const closed = once(server, 'close')
    // Requests that a proxy has sent get their responses even if that takes long: it does not repeat a POST.
    connections.close(isDrained ? endsAt - performance.now() - DATABASE_MS : 0)
    await shop.hangUp()
    await closed
    await shop.close()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void close(signal))
}

function greeting(config: Config): string {
  const { providerUrl, databaseUrl, isDemo, dataDir, payment } = config
  const lines = [`Piazza is open at ${localAddress(config).replace('//127.0.0.1:', '//localhost:')}`]
  if (config.processes > 1) lines.push(`${config.processes} processes serve it`)
  if (providerUrl) lines.push(`Its provider is ${providerUrl}`)
  else if (isDemo) lines.push(`Demo customer: ${DEMO_CUSTOMER.email} with the password ${DEMO_CUSTOMER.password}`)
  if (!providerUrl && !payment) lines.push('Nobody can pay: set PAYMENT_PROVIDER to sandbox, flutterwave or stripe.')
  if (!providerUrl) lines.push(...mailProblems(config))
  if (!providerUrl && !databaseUrl)
    lines.push(
      `The embedded database in ${dataDir} survives a process crash, but not a power loss. For that, set DATABASE_URL.`,
    )
  return lines.join('\n')
}

function readable(error: unknown): string {
  if (error instanceof ConfigError) return `The configuration is invalid:\n${error.message}`
  const { code, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string }
  if (code === 'EADDRINUSE') {
    const variable = String(port) === process.env.METRICS_PORT ? 'METRICS_PORT=9322' : 'PORT=4322'
    return `Something listens on ${address}:${port} already. Choose another port: ${variable} npm start`
  }
  return `Piazza could not start: ${reasonOf(error)}`
}
