import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { openCounts } from '../platform/counts.ts'
import { sumBy } from '../platform/sum.ts'
import { clientAddress, networkOf } from './client-address.ts'
import { connectionAddress } from './connection-address.ts'
import { limitUnfinishedBodies } from './slow-bodies.ts'
import { rejectUpgrade, sendUnavailable } from './unavailable.ts'
import { whenQuiet } from './when-quiet.ts'

/** Long polls and WebSockets are 'lasting' and have their own limit, so that they leave room for short requests. */
type Kind = 'short' | 'lasting'

interface Options {
  /** Connections above this number get a 503. */
  maxConnections: number
  /** The most connections, and the most open responses of each kind, of one client (an IPv4 address or an IPv6 /64). */
  maxPerClient?: number
  /** Behind proxies, which open connections for many clients, only the open responses of a client are limited. */
  trustedProxies?: number
  /** Called for the requests of a connection one at a time, in order. */
  handle: (request: IncomingMessage, response: ServerResponse) => void
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Connections of clients that read nothing of their response for this long are reset. */
  stuckMs?: number
  /** How many pipelined requests may wait in the whole process. */
  maxWaiting?: number
  /** While closing, how long idle connections stay open: the client may have sent a request already. */
  idleCloseMs?: number
  /** While closing, connections that are still open after this time, or after `close`'s `longMs`, are reset. */
  forceCloseMs?: number
}

interface Connection {
  socket: Socket
  /** The response being sent, or the last one. */
  current: ServerResponse | null
  /** Requests that arrived before `current` was sent. */
  waiting: [IncomingMessage, ServerResponse][]
  client: string
  isSurplus: boolean
  isUpgraded: boolean
  /** How many bytes the client had read at the last check, and when that last grew. */
  takenBytes: number
  takenAt: number
}

export type Connections = ReturnType<typeof manageConnections>

const STUCK_MS = 30_000
const CHECKS_PER_STUCK_MS = 10
const IDLE_CLOSE_MS = 1000
/**
 * While closing, how long a connection without a request stays open, if there is time: the first one comes late if a
 * packet was lost or the client is slow.
 */
const FIRST_REQUEST_MS = 5000
const FORCE_CLOSE_MS = 8000
const IDLE_CHECK_MS = 50
/** Each waiting request takes about 2 kB. */
const MAX_WAITING = 10_000
/** Share of the short requests that one client may have open without sending their bodies. */
const UNFINISHED_SHARE = 0.125
/** Share of connections accepted beyond the maximum, only to send them a 503. Further ones are closed at once. */
const SURPLUS = 0.25

/**
 * Limits the connections, open responses and pipelined requests of an HTTP server. Node emits all pipelined requests at
 * once; here they are handled one after the other, and nothing more is read from a connection while a request waits.
 */
export function manageConnections(server: Server, options: Options) {
  const { maxConnections, handle, stuckMs = STUCK_MS, maxWaiting = MAX_WAITING } = options
  const { maxPerClient = maxConnections, idleCloseMs = IDLE_CLOSE_MS, forceCloseMs = FORCE_CLOSE_MS } = options
  const { trustedProxies = 0 } = options
  const maxConnectionsPerClient = trustedProxies === 0 ? maxPerClient : maxConnections
  const connections = new Map<Duplex, Connection>()
  const clients = openCounts()
  const holds = countHolds({ maxConnections, maxPerClient, trustedProxies })
  const pipelines = openPipelines(start, maxWaiting)
  let acceptedCount = 0
  let isClosing = false
  server.maxConnections = Math.ceil(maxConnections * (1 + SURPLUS))

  server.on('connection', (socket: Socket) => {
    acceptedCount += 1
    if (connections.size >= maxConnections) closeIdle(connection => connection.current !== null)
    const client = networkOf(connectionAddress(socket))
    const ownCount = clients.of(client)
    if (ownCount >= maxConnectionsPerClient * (1 + SURPLUS)) {
      socket.resetAndDestroy()
      return
    }
    clients.add(client)
    const isSurplus = connections.size >= maxConnections || ownCount >= maxConnectionsPerClient
    const connection = newConnection(socket, client, isSurplus)
    connections.set(socket, connection)
    // Node resumes reading after each response.
    socket.on('resume', () => connection.waiting.length > 0 && socket.pause())
    socket.on('close', () => forget(connection))
  })

  server.on('request', (request, response) => {
    const connection = connections.get(request.socket)
    if (connection && !request.socket.destroyed) pipelines.add(connection, request, response)
  })

  server.on('upgrade', (request, socket, head) => {
    const connection = connections.get(socket)
    if (!connection) return
    // Pending HTTP responses would mix with the WebSocket's frames.
    if (isBusy(connection)) socket.destroy()
    else if (isClosing || connection.isSurplus || !holds.take('lasting', request, socket)) rejectUpgrade(socket)
    else {
      connection.isUpgraded = true
      options.upgrade(request, socket, head)
    }
  })

  function start(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    connection.current = response
    if (isClosing) response.setHeader('connection', 'close')
    if (connection.isSurplus) sendUnavailable(response)
    else handle(request, response)
  }

  function forget(connection: Connection): void {
    pipelines.drop(connection)
    if (connections.delete(connection.socket)) clients.remove(connection.client)
  }

  function closeIdle(matches: (connection: Connection) => boolean): void {
    for (const connection of connections.values()) {
      if (connection.isUpgraded || isBusy(connection) || !matches(connection)) continue
      connection.socket.destroy()
      forget(connection)
    }
  }

  const checking = setInterval(() => cutStuck(connections.values(), stuckMs), stuckMs / CHECKS_PER_STUCK_MS).unref()
  server.once('close', () => clearInterval(checking))

  return {
    /** Counts a response until it closes. Returns false when too many of its kind, or of its client, are open. */
    hold: (response: ServerResponse, kind: Kind): boolean => holds.take(kind, response.req, response),

    /** Keeps listening, but ends each connection after its response and rejects WebSockets: clients move elsewhere. */
    drain(): void {
      isClosing = true
    },

    /** Stops listening and lets open responses end, for `longMs`; further ones carry `Connection: close`. */
    close(longMs = 0): void {
      isClosing = true
      // The HTTP server's own `close` resets idle connections at once.
      void whenQuiet(
        () => acceptedCount,
        () => NetServer.prototype.close.call(server),
      )
      const newCloseMs = Math.max(idleCloseMs, Math.min(longMs, FIRST_REQUEST_MS))
      const readBytes = () => sumBy(connections.values(), ({ socket }) => socket.bytesRead)
      const closingAt = performance.now()
      const closing = setInterval(() => {
        const elapsedMs = performance.now() - closingAt
        const isDue = ({ current }: Connection) => elapsedMs >= (current ? idleCloseMs : newCloseMs)
        if (elapsedMs >= idleCloseMs) void whenQuiet(readBytes, () => closeIdle(isDue))
        if (elapsedMs >= Math.max(forceCloseMs, longMs))
          for (const { socket } of connections.values()) socket.resetAndDestroy()
      }, IDLE_CHECK_MS)
      server.once('close', () => clearInterval(closing))
    },
  }
}

function newConnection(socket: Socket, client: string, isSurplus: boolean): Connection {
  const takenAt = performance.now()
  return { socket, current: null, waiting: [], client, isSurplus, isUpgraded: false, takenBytes: 0, takenAt }
}

/** Counts the open responses and WebSockets of each kind, of all clients and of each one. */
function countHolds(options: Required<Pick<Options, 'maxConnections' | 'maxPerClient' | 'trustedProxies'>>) {
  const { maxConnections, maxPerClient, trustedProxies } = options
  const held: Record<Kind, number> = { short: 0, lasting: 0 }
  /** The remaining quarter is for idle connections. */
  const max: Record<Kind, number> = { short: Math.ceil(maxConnections / 4), lasting: Math.ceil(maxConnections / 2) }
  const clients = { short: openCounts(), lasting: openCounts() }
  const unfinished = limitUnfinishedBodies(Math.ceil(max.short * UNFINISHED_SHARE))
  return {
    /** Counts it until it closes. Returns false when too many of its kind, or of its client, are open. */
    take(kind: Kind, request: IncomingMessage, open: ServerResponse | Duplex): boolean {
      const client = networkOf(clientAddress(request, trustedProxies))
      if (held[kind] >= max[kind] || clients[kind].of(client) >= maxPerClient) return false
      if (!unfinished.add(client, request, open)) return false
      held[kind] += 1
      clients[kind].add(client)
      open.once('close', () => {
        held[kind] -= 1
        clients[kind].remove(client)
      })
      return true
    },
  }
}

type Start = (connection: Connection, request: IncomingMessage, response: ServerResponse) => void

/** Starts the requests of each connection one after the other. Resets a connection when too many wait altogether. */
function openPipelines(start: Start, maxWaiting: number) {
  let waitingCount = 0

  function startNext(connection: Connection): void {
    const { socket, waiting } = connection
    // After a `connection: close`, or when the client has closed its side, nothing more can be sent.
    const next = socket.writable ? waiting.shift() : undefined
    if (!next) return drop(connection)
    waitingCount -= 1
    start(connection, ...next)
    if (waiting.length > 0) next[1].once('close', () => startNext(connection))
    else socket.resume()
  }

  /** Forgets the waiting requests. */
  function drop({ waiting }: Connection): void {
    waitingCount -= waiting.length
    waiting.length = 0
  }

  return {
    add(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
      const { current, waiting, socket } = connection
      if (!isBusy(connection)) return start(connection, request, response)
      if (waitingCount >= maxWaiting) {
        socket.resetAndDestroy()
        return
      }
      waiting.push([request, response])
      waitingCount += 1
      if (waiting.length > 1) return
      current?.once('close', () => startNext(connection))
      socket.pause()
    },
    drop,
  }
}

/** Whether the connection has a response to send. */
function isBusy({ current, waiting }: Connection): boolean {
  return waiting.length > 0 || (current !== null && !current.writableFinished && !current.destroyed)
}

/** Resets the connections whose clients have read nothing for `stuckMs`; notes how far the others have read. */
function cutStuck(connections: Iterable<Connection>, stuckMs: number): void {
  const now = performance.now()
  for (const connection of connections) {
    const { socket, takenBytes, takenAt } = connection
    const takenNow = socket.bytesWritten - socket.writableLength
    if (socket.writableLength === 0 || takenNow !== takenBytes) {
      connection.takenBytes = takenNow
      connection.takenAt = now
    } else if (now - takenAt >= stuckMs) {
      // A reset also discards the data that the kernel has buffered for the client.
      socket.resetAndDestroy()
    }
  }
}
