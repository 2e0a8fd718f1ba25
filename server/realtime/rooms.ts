import type { Peer } from './socket-auth.ts'

/** The room of all connected customers. */
export const CUSTOMERS = 'customers'
/** The room of all connected sellers. */
export const SELLERS = 'sellers'
const SELLER = 'seller:'

/** The room of all sockets of one customer, shop or visitors' address. Visitors' rooms receive no messages. */
export function roomOf({ side, id }: Pick<Peer, 'side' | 'id'>): string {
  return `${side}:${id}`
}

/** The room of all sockets of one session. */
export function sessionRoom(sessionId: string): string {
  return `session:${sessionId}`
}

/** All rooms that a peer's socket joins. */
export function roomsOf(peer: Peer): string[] {
  if (peer.side === 'customer') return [roomOf(peer), CUSTOMERS, sessionRoom(peer.sessionId)]
  return peer.side === 'seller' ? [roomOf(peer), SELLERS] : [roomOf(peer)]
}

/** Ids of the sellers that have one of these rooms. */
export function sellersIn(rooms: Iterable<string>): string[] {
  return [...rooms].filter(room => room.startsWith(SELLER)).map(room => room.slice(SELLER.length))
}
