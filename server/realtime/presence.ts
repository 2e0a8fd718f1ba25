import { randomUUID } from 'node:crypto'
import { type ActiveSeller, events } from '#contract/realtime.ts'
import type { PeerServer, PeerSocket } from './peer-socket.ts'
import { CUSTOMERS, sellersIn } from './rooms.ts'

interface Presence {
  /** Call it for each new socket of a customer or seller. */
  add(socket: PeerSocket): void
  /** Asks the other processes for their sellers. */
  requestOthers(): void
  close(): void
}

/** Sellers' connections and disconnections within this time cause one event. */
const GATHER_MS = 100
/**
 * What a process sends to all its customers together, on average: the more customers and online sellers, the less often
 * it sends the list. 1,000 sellers for 10,000 customers, some 400 MB, are sent every 40 s.
 */
const BYTES_PER_MS = 10_000
/** How often each process tells the others which sellers it has, and how long they believe it. */
const REPEAT_MS = 10_000
const EXPIRY_MS = 25_000
/** Between processes: `processId, sellerIds`. A process that has just started asks for it with the other event. */
const SELLERS_HERE = 'sellersHere'
const WHO_IS_WHERE = 'whoIsWhere'

/**
 * Sends customers the list of online sellers: when they connect, and when it changes. With `isShared`, it includes the
 * sellers of other processes.
 */
export function openPresence(io: PeerServer, { isShared }: { isShared: boolean }): Presence {
  const processId = randomUUID()
  const elsewhere = new Map<string, { sellerIds: string[]; receivedAt: number }>()
  let timer: NodeJS.Timeout | undefined
  let nextAt = 0
  /** The list that was sent last. */
  let lastSent: ActiveSeller[] = []
  let sentToOthers = ''

  let isClosed = false
  const here = () => (isClosed ? [] : sellersIn(io.sockets.adapter.rooms.keys()))
  function sendToOthers(sellerIds = here()): void {
    sentToOthers = sellerIds.join()
    io.serverSideEmit(SELLERS_HERE, processId, sellerIds)
  }

  function sendToAll(): void {
    timer = undefined
    const own = here()
    if (isShared && own.join() !== sentToOthers) sendToOthers(own)
    const online = [...new Set([...own, ...[...elsewhere.values()].flatMap(({ sellerIds }) => sellerIds)])].toSorted()
    if (online.join() === lastSent.map(({ sellerId }) => sellerId).join()) return
    lastSent = online.map(sellerId => ({ sellerId }))
    io.local.to(CUSTOMERS).emit(events.activeSeller, lastSent)
    const customers = io.sockets.adapter.rooms.get(CUSTOMERS)?.size ?? 0
    nextAt = performance.now() + (customers * JSON.stringify(lastSent).length) / BYTES_PER_MS
  }
  const changed = () => {
    timer ??= setTimeout(sendToAll, Math.max(GATHER_MS, nextAt - performance.now())).unref()
  }

  function repeatToOthers(): void {
    sendToOthers()
    const oldest = performance.now() - EXPIRY_MS
    for (const [id, { receivedAt }] of elsewhere) if (receivedAt < oldest) elsewhere.delete(id)
    changed()
  }

  let repeating: NodeJS.Timeout | undefined
  if (isShared) {
    io.on(SELLERS_HERE, (id: string, sellerIds: string[]) => {
      elsewhere.set(id, { sellerIds, receivedAt: performance.now() })
      changed()
    })
    io.on(WHO_IS_WHERE, () => sendToOthers())
    repeating = setInterval(repeatToOthers, REPEAT_MS).unref()
  }

  return {
    add(socket) {
      if (socket.data.peer.side === 'customer') {
        socket.emit(events.activeSeller, lastSent)
        return
      }
      changed()
      socket.once('disconnect', changed)
    },
    requestOthers: () => void io.serverSideEmit(WHO_IS_WHERE),
    close() {
      isClosed = true
      clearTimeout(timer)
      clearInterval(repeating)
      if (isShared) sendToOthers()
    },
  }
}
