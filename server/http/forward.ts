import { Agent as HttpAgent, type IncomingMessage, type ServerResponse } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Duplex } from 'node:stream'
import { createProxyServer, type ProxyServerOptions } from 'httpxy'
import type { Logger } from 'pino'
import { SOCKET_PATH } from '#contract/realtime.ts'
import { clientAddress } from './client-address.ts'
import { pageHeaders } from './signature.ts'

interface Options {
  providerUrl: string
  publicUrl: string
  /** How many proxies in front of this process add to X-Forwarded-For. */
  trustedProxies: number
  /** Shared with the provider. Without it, the provider counts all page requests against the limits of one visitor. */
  purgeSecret?: string | undefined
  log: Pick<Logger, 'warn'>
}

const PAGE_TIMEOUT_MS = 10_000
const API_TIMEOUT_MS = 30_000
/** A Socket.IO poll waits for the server's next ping. */
const POLL_TIMEOUT_MS = 60_000
const RETRY_AFTER = '5'
const AWAY = 'The marketplace cannot be reached right now'
const CONNECTION_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
])
/** Hop-by-hop headers, and headers in which visitors could fake their address. */
const NOT_FORWARDED = [
  'keep-alive',
  'te',
  'trailer',
  'proxy-authorization',
  'proxy-authenticate',
  'proxy-connection',
  'forwarded',
  'x-real-ip',
]

/** Headers that offer this process another protocol. WebSockets go through `upgrade`. */
const OFFERS = ['upgrade', 'http2-settings']

/** Sends all requests of this process to a remote provider (PROVIDER_URL). */
export function createForwarder({ providerUrl, publicUrl, trustedProxies, purgeSecret, log }: Options) {
  const target = new URL(providerUrl)
  const Agent = target.protocol === 'https:' ? HttpsAgent : HttpAgent
  const agent = new Agent({ keepAlive: true, maxSockets: 256, maxFreeSockets: 32 })
  const proxy = createProxyServer({
    target,
    changeOrigin: true,
    upgradeTimeout: API_TIMEOUT_MS,
  } satisfies ProxyServerOptions)

  proxy.on('error', (error, req, res) => {
    log.warn({ err: error, path: req?.url }, 'the provider did not respond')
    if (!res || !('writeHead' in res) || res.headersSent) {
      res?.destroy()
      return
    }
    const status = CONNECTION_ERRORS.has((error as NodeJS.ErrnoException).code ?? '') ? 503 : 502
    res.writeHead(status, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'retry-after': RETRY_AFTER,
    })
    res.end(JSON.stringify({ error: AWAY }))
  })
  proxy.on('proxyRes', ({ headers, statusCode }) => {
    for (const name of [...NOT_FORWARDED, 'connection']) delete headers[name]
    // A proxy in front of the provider may not send it.
    if (statusCode === 503) headers['retry-after'] ??= RETRY_AFTER
  })

  /** Connections of browsers to the provider's socket: long polls and WebSockets. */
  const lasting = new Set<Duplex>()

  function prepare(req: IncomingMessage): void {
    const client = clientAddress(req, trustedProxies)
    for (const name of Object.keys(req.headers)) {
      if (NOT_FORWARDED.includes(name) || name.startsWith('x-forwarded-')) delete req.headers[name]
    }
    // The provider trusts one proxy, which is this process.
    req.headers['x-forwarded-for'] = client
    req.headers['x-forwarded-proto'] = publicUrl.startsWith('https:') ? 'https' : 'http'
    req.headers['x-forwarded-host'] = new URL(publicUrl).host
  }

  return {
    /** Forwards a request and its response; responds with 502 or 503 and `{error}` when that fails. Never rejects. */
    async forward(req: IncomingMessage, res: ServerResponse): Promise<void> {
      prepare(req)
      for (const name of OFFERS) delete req.headers[name]
      const isPoll = req.url?.startsWith(SOCKET_PATH)
      if (isPoll) {
        lasting.add(req.socket)
        res.once('close', () => lasting.delete(req.socket))
      }
      await proxy.web(req, res, {
        agent,
        headers: { connection: 'keep-alive' },
        proxyTimeout: isPoll ? POLL_TIMEOUT_MS : API_TIMEOUT_MS,
      })
    },
    /** Like `forward`, for a WebSocket. */
    async upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
      prepare(req)
      lasting.add(socket)
      socket.once('close', () => lasting.delete(socket))
      await proxy.ws(req, socket as Parameters<typeof proxy.ws>[1], {}, head)
    },
    /** For pages: fetches the path and query of `request` from the provider. Rejects after 10 s. */
    fetch(request: Request): Promise<Response> {
      const { pathname, search } = new URL(request.url)
      const url = new URL(target.pathname.replace(/\/$/, '') + pathname + search, target)
      const asked = new Request(url, request)
      const proof = purgeSecret ? pageHeaders(purgeSecret, pathname + search) : {}
      for (const [name, value] of Object.entries(proof)) asked.headers.set(name, value)
      return fetch(asked, { redirect: 'manual', signal: AbortSignal.timeout(PAGE_TIMEOUT_MS) })
    },
    /** Ends all long polls and WebSockets; browsers reconnect automatically. */
    hangUp(): void {
      for (const socket of lasting) socket.destroy()
    },
    close: (): void => agent.destroy(),
  }
}
