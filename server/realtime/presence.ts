import { type ActiveSeller, events } from '#contract/realtime.ts'
import type { PeerServer, PeerSocket } from './peer-socket.ts'
import { CUSTOMERS, sellersIn } from './rooms.ts'

interface Presence {
  /** Call it for each new socket of a customer or seller. */
  greet(socket: PeerSocket): void
  close(): void
}

/** Sellers' connections and disconnections within this time cause one event. */
const GATHER_MS = 100

/** Sends customers the list of online sellers: when they connect, and when it changes. */
export function openPresence(io: PeerServer): Presence {
  let timer: NodeJS.Timeout | undefined
  /** The list that was sent last. */
  let told: ActiveSeller[] = []

  function tellAll(): void {
    timer = undefined
    const online = sellersIn(io.sockets.adapter.rooms.keys())
    if (online.join() === told.map(({ sellerId }) => sellerId).join()) return
    told = online.map(sellerId => ({ sellerId }))
    io.to(CUSTOMERS).emit(events.activeSeller, told)
  }
  const changed = () => {
    timer ??= setTimeout(tellAll, GATHER_MS).unref()
  }

  return {
    greet(socket) {
      if (socket.data.peer.side === 'customer') {
        socket.emit(events.activeSeller, told)
        return
      }
      changed()
      socket.once('disconnect', changed)
    },
    close: () => clearTimeout(timer),
  }
}
