import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAdapter } from '@socket.io/postgres-adapter'
import type { Logger } from 'pino'
import { Server } from 'socket.io'
import { SOCKET_PATH } from '#contract/realtime.ts'
import { clientAddress } from '../http/client-address.ts'
import { openSocketConnections } from '../db/socket-connections.ts'
import type { Limits } from '../http/limits.ts'
import type { Chat } from '../chat/view.ts'
import type { Jobs } from '../platform/jobs.ts'
import { ServiceError } from '../platform/errors.ts'
import { repeat } from '../platform/timers.ts'
import { isFromOurPages, type OriginOptions } from '../http/csrf.ts'
import type { Announcer } from '../chat/announcer.ts'
import { admit, handleCustomerEvents } from './admission.ts'
import { openAnnouncer } from './announcer.ts'
import { hasExpired, identify, type SocketAuth } from './socket-auth.ts'
import type { PeerServer, PeerSocket } from './peer-socket.ts'
import { openPresence } from './presence.ts'
import { roomOf, sessionRoom } from './rooms.ts'
import { handleSellerEvents } from './seller-events.ts'

export interface Realtime {
  /** Reaches the sockets of all processes. */
  announcer: Announcer
  /** Reaches only the sockets of this process: for events that the database reports to every process. */
  localAnnouncer: Announcer
  /** HTTP requests to `SOCKET_PATH`: long polling, for clients that cannot use WebSockets. */
  handle(req: IncomingMessage, res: ServerResponse): void
  /** WebSockets at `SOCKET_PATH`. */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void
  /** How many sockets of this process are open. */
  count(): number
  /** Closes the sockets one by one within `spreadMs`. Clients then connect again, and a proxy leads them elsewhere. */
  drain(spreadMs: number): Promise<void>
  /**
   * Closes every connection and rejects new ones. Clients reconnect automatically, each after a delay of its own.
   * Announcements still reach the sockets of other processes.
   */
  hangUp(): Promise<void>
  close(): Promise<void>
}

interface Options extends SocketAuth, Chat {
  jobs: Jobs
  limits: Pick<Limits, 'allows'>
  config: OriginOptions & { trustedProxies: number; processes: number }
  log: Pick<Logger, 'error'>
  /** PostgreSQL, over which the processes of a shop reach each other's sockets; null if there is only this one. */
  listenUrl?: string | null
  /** Milliseconds between two checks that the connected clients' tokens have not expired. */
  expiryCheckMs?: number
}

/** PostgreSQL's notifications have less than 8,000 bytes; longer events go through a table. */
const MAX_NOTICE_BYTES = 7500
const MAX_BYTES = 64 * 1024
/** Sockets that have not connected to the namespace after this time are closed. */
const HANDSHAKE_MS = 10_000
const EXPIRY_CHECK_MS = 10_000
/** Rarely: the database reports ended sessions and revoked tokens at once, and each socket costs it a statement. */
const RECHECK_MS = 5 * 60_000
/** Between two sockets that are closed because their events may have been missed, so that few connect at once. */
const MS_PER_SOCKET = 2
/**
 * The most packets of one connection within a minute, of whatever kind. Limits of single events do not suffice: each
 * rejected one is answered, and a client that reads nothing would fill the memory with answers.
 */
const MAX_PACKETS = 1000
const MINUTE_MS = 60_000

/**
 * Opens the sockets of customers and sellers. Messages are stored before they are sent, so clients that were offline
 * can load what they missed.
 */
export function openRealtime(options: Options): Realtime {
  const { config, sessions, sellerTokens, log, listenUrl = null, expiryCheckMs = EXPIRY_CHECK_MS } = options
  const { corsOrigins } = config
  const onLost = (error: unknown) => log.error({ err: error }, 'the sockets of other processes could not be reached')
  const others = listenUrl ? openSocketConnections({ url: listenUrl, onError: onLost, onListening }) : null
  const io: PeerServer = new Server({
    ...(others && {
      adapter: createAdapter(others.pool, { payloadThreshold: MAX_NOTICE_BYTES, errorHandler: onLost }),
    }),
    path: SOCKET_PATH,
    serveClient: false,
    // Long polls would need to reach the same one of several processes behind a port.
    ...(config.processes > 1 && { transports: ['websocket'] }),
    maxHttpBufferSize: MAX_BYTES,
    connectTimeout: HANDSHAKE_MS,
    ...(corsOrigins.length > 0 && { cors: { origin: corsOrigins, credentials: true } }),
    allowRequest: (req, decide) => void mayConnect(req, options).then(isAllowed => decide(null, isAllowed)),
  })
  // Socket.IO creates its engine only when attached to a server. This one never listens: the shop's own server passes
  // on the requests for sockets.
  io.attach(createServer())
  const { engine } = io as { engine: Engine }
  io.engine.on('connection', closeFlooding)
  const announcer = openAnnouncer(io, config, log)
  const localAnnouncer = openAnnouncer(io.local, config, log)
  const presence = openPresence(io, { isShared: others !== null })
  function onListening(again: boolean): void {
    presence.requestOthers()
    // Clients connect again within seconds, and load what they missed.
    if (again) void drain(io.sockets.sockets.size * MS_PER_SOCKET)
  }

  io.use((socket, next) => void admit(io, socket, options).then(() => next(), next))
  io.on('connection', socket => {
    const { peer } = socket.data
    limit(socket, options)
    if (peer.side === 'seller') handleSellerEvents(socket, { ...options, announcer, sellerId: peer.id })
    else handleCustomerEvents(io, socket, { ...options, onSignIn: () => presence.add(socket) })
    if (peer.side !== 'visitor') presence.add(socket)
  })
  sessions.onEnd(id => {
    if (id === null) recheckNow()
    else io.local.in(sessionRoom(id)).disconnectSockets(true)
  })
  // The database reports ended sessions and revoked tokens to every process.
  sellerTokens.onRevoke(id => io.local.in(roomOf({ side: 'seller', id })).disconnectSockets(true))
  const onError = (error: unknown) => log.error({ err: error }, 'the tokens of open sockets could not be checked')
  const recheckNow = () => void recheck(io, options).catch(onError)
  const rechecking = repeat({ everyMs: RECHECK_MS, work: () => recheck(io, options), onError })
  const closingExpired = setInterval(() => closeExpired(io), expiryCheckMs).unref()

  async function drain(spreadMs: number): Promise<void> {
    const sockets = [...io.sockets.sockets.values()]
    for (const socket of sockets) {
      socket.conn.close()
      await sleep(spreadMs / sockets.length)
    }
  }

  let isHungUp = false
  async function hangUp(): Promise<void> {
    if (isHungUp) return
    isHungUp = true
    presence.close()
    io.engine.close()
    clearInterval(closingExpired)
    await rechecking.close()
  }

  return {
    announcer,
    localAnnouncer,
    handle(req, res) {
      if (isHungUp) res.writeHead(503, { 'retry-after': '1' }).end()
      else engine.handleRequest(req, res)
    },
    upgrade(req, socket, head) {
      if (isHungUp) socket.destroy()
      else engine.handleUpgrade(req, socket, head)
    },
    count: () => io.sockets.sockets.size,
    drain,
    hangUp,
    async close() {
      await hangUp()
      await io.close()
      await others?.close()
    },
  }
}

interface Connection {
  on(event: 'packet', listener: () => void): void
  close(isDiscarding: boolean): void
}

/** Closes a connection, with what it has not read yet, when it has sent more than `MAX_PACKETS` within a minute. */
function closeFlooding(connection: Connection): void {
  let count = 0
  let since = performance.now()
  connection.on('packet', () => {
    const now = performance.now()
    if (now - since > MINUTE_MS) [count, since] = [0, now]
    count += 1
    if (count > MAX_PACKETS) connection.close(true)
  })
}

interface Engine {
  handleRequest(req: IncomingMessage, res: ServerResponse): void
  handleUpgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void
}

/** Checks a handshake's origin and counts it against the limit of its address. */
async function mayConnect(req: IncomingMessage, { config, limits }: Options): Promise<boolean> {
  if (!isFromOurPages(name => req.headers[name]?.toString(), config)) return false
  return limits.allows('apiPerIp', clientAddress(req, config.trustedProxies))
}

/** Limits the events of each customer, shop or visitor's address; events beyond the limit are rejected. */
function limit(socket: PeerSocket, { limits }: Pick<Options, 'limits'>): void {
  socket.use((args, next) => {
    const answer = (isAllowed: boolean) => {
      if (isAllowed) return next()
      const acknowledge: unknown = args.at(-1)
      if (typeof acknowledge === 'function') acknowledge({ error: 'Too many messages, please wait a minute' })
    }
    void limits.allows('socketEvents', roomOf(socket.data.peer)).then(answer, next)
  })
}

function closeExpired(io: PeerServer): void {
  for (const socket of io.sockets.sockets.values()) if (hasExpired(socket.data.token)) socket.disconnect(true)
}

/** Disconnects sockets whose token is no longer valid, for example after its key was deleted. */
async function recheck(io: PeerServer, auth: SocketAuth): Promise<void> {
  for (const socket of io.sockets.sockets.values()) {
    if (socket.data.peer.side === 'visitor') continue
    const failed = await identify(auth, socket.data.token).then(
      () => null,
      (error: unknown) => error,
    )
    if (failed instanceof ServiceError) socket.disconnect(true)
    else if (failed) throw failed
  }
}
