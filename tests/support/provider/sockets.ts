import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Socket as NetSocket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { io, type Socket } from 'socket.io-client'
import type { Message } from '#contract/chat.ts'
import { SOCKET_PATH } from '#contract/realtime.ts'
import { openLimits } from '#server/http/limits.ts'
import { readRules } from '#server/http/limit-rules.ts'
import type { Announcer } from '#server/chat/announcer.ts'
import { openRealtime, type Realtime } from '#server/realtime/socket-server.ts'
import { openSellerTokens } from '#server/accounts/seller-tokens.ts'
import { addSeller } from '../catalogue/catalogue.ts'
import { freePort, listenOn } from '../ports.ts'
import { startProvider } from './provider.ts'

type Options = Omit<NonNullable<Parameters<typeof startProvider>[0]>, 'announcer'> & { expiryCheckMs?: number }

export type More = Parameters<typeof io>[1]

/** A provider on its own port, for requests and sockets. Errors are collected in `faults`. */
export async function startSockets({ expiryCheckMs, ...options }: Options = {}) {
  const faults: unknown[] = []
  const relay: Announcer = {
    toCustomer: (...args) => realtime.announcer.toCustomer(...args),
    toEveryCustomer: (...args) => realtime.announcer.toEveryCustomer(...args),
    toSeller: (...args) => realtime.announcer.toSeller(...args),
    toEverySeller: (...args) => realtime.announcer.toEverySeller(...args),
  }
  const provider = await startProvider({ ...options, announcer: relay })
  const { db, database, sessions, secrets, uploads, jobs } = provider
  const sellerTokens = openSellerTokens({ db, secrets, now: options.now })
  const { publicUrl = 'http://provider.test', corsOrigins = [], limits = '' } = options
  const listener = getRequestListener(provider.fetch, { overrideGlobalObjects: false })
  const log = { error: (fault: unknown) => void faults.push(fault) }
  const connections = new Set<NetSocket>()
  let realtime: Realtime
  let server: Server

  const port = await freePort()

  async function open(): Promise<void> {
    realtime = openRealtime({
      db,
      addressOf: uploads.addressOf,
      jobs,
      sessions,
      sellerTokens,
      limits: openLimits({ database, rules: readRules(limits) }),
      config: { publicUrl, corsOrigins, trustedProxies: 0, processes: 1 },
      log,
      ...(expiryCheckMs && { expiryCheckMs }),
    })
    server = createServer((req, res) =>
      req.url?.startsWith(SOCKET_PATH) ? realtime.handle(req, res) : void listener(req, res),
    )
    server.on('upgrade', realtime.upgrade)
    server.on('connection', connection => {
      connections.add(connection)
      connection.once('close', () => connections.delete(connection))
    })
    await listenOn(port, server)
  }

  async function shut(): Promise<void> {
    const closed = once(server, 'close')
    server.close()
    await realtime.close()
    server.closeAllConnections()
    await closed
  }

  await open()
  const url = `http://127.0.0.1:${port}`
  const windows: { socket: Socket }[] = []
  return {
    ...provider,
    url,
    sellerTokens,
    faults,
    /** Connects a socket and waits until it is accepted. */
    async window(token: string | null | undefined, more?: More) {
      const window = connect(url, token, more)
      windows.push(window)
      await window.in()
      return window
    },
    /** The error with which a socket is rejected; null if it is accepted. */
    async refusal(token: unknown, more?: More) {
      const { in: isIn, socket } = connect(url, token, more)
      try {
        await isIn()
        return null
      } catch (error) {
        return error as Error & { data?: { status: number; code?: string } }
      } finally {
        socket.disconnect()
      }
    },
    closeWindows() {
      for (const { socket } of windows.splice(0)) socket.disconnect()
    },
    /** Closes every connection and listens again. */
    async restart() {
      await shut()
      await open()
    },
    async close() {
      const closed = shut()
      // A connection whose request was too large would stay open for half a minute.
      for (const connection of connections) connection.destroy()
      await closed
      await provider.close()
    },
  }
}

/** Two customers and a shop with its token. `write` sends the shop a message from one of them. */
export async function addTalkers(shop: Awaited<ReturnType<typeof startSockets>>) {
  const seller = await addSeller(shop.db)
  type Customer = Awaited<ReturnType<typeof shop.customer>>
  return {
    grace: await shop.customer('Grace Hopper'),
    mallory: await shop.customer('Mallory'),
    seller,
    sellerToken: (await shop.sellerTokens.issue(seller.id)).token,
    async write(from: Customer, text: string): Promise<Message> {
      const { message } = await from.api.sendMessage({ userId: from.id, sellerId: seller.id, text })
      return message
    },
  }
}

/** A socket that records the events it receives. */
export function connect(url: string, token: unknown, more: More = {}) {
  const socket = io(url, {
    path: SOCKET_PATH,
    auth: { token },
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    ...more,
  })
  const received: [event: string, payload: unknown][] = []
  socket.onAny((event: string, payload: unknown) => void received.push([event, payload]))
  return {
    socket,
    received,
    /** Resolves once connected; rejects with the reason if the connection is rejected. */
    async in() {
      if (socket.connected) return
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      socket.once('connect', resolve)
      socket.once('connect_error', reject)
      await promise
    },
    /** Resolves with the reason when the connection ends. */
    ended: () => new Promise<string>(resolve => void socket.once('disconnect', resolve)),
    /** Resolves with the payload of the next such event. */
    next: <Payload>(event: string) => new Promise<Payload>(resolve => void socket.once(event, resolve)),
    of: (event: string) => received.filter(([name]) => name === event).map(([, payload]) => payload),
  }
}
