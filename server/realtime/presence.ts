import { type ActiveSeller, events } from '#contract/realtime.ts'
import type { PeerServer, PeerSocket } from './peer-socket.ts'
import { CUSTOMERS, sellersIn } from './rooms.ts'

interface Presence {
  /** Somebody has connected. */
  greet(socket: PeerSocket): void
  close(): void
}

/** Several who come and go within this time are told of once. */
const GATHER_MS = 100

/** Tells customers which sellers are online: when they connect, and whenever it changes. */
export function openPresence(io: PeerServer): Presence {
  let timer: NodeJS.Timeout | undefined
  /** As everybody knows it. */
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
