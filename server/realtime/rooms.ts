import type { Peer } from './socket-auth.ts'

/** Every customer who is connected. */
export const CUSTOMERS = 'customers'
const SELLER = 'seller:'

/** Where what concerns one customer or shop is told, in all their windows; nothing is told to visitors. */
export function roomOf({ side, id }: Pick<Peer, 'side' | 'id'>): string {
  return `${side}:${id}`
}

/** The windows of one sign-in. */
export function sessionRoom(sessionId: string): string {
  return `session:${sessionId}`
}

/** Where what concerns somebody is told. */
export function roomsOf(peer: Peer): string[] {
  return peer.side === 'customer' ? [roomOf(peer), CUSTOMERS, sessionRoom(peer.sessionId)] : [roomOf(peer)]
}

/** The sellers who have one of these rooms. */
export function sellersIn(rooms: Iterable<string>): string[] {
  return [...rooms].filter(room => room.startsWith(SELLER)).map(room => room.slice(SELLER.length))
}
