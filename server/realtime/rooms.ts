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

/** The room of those sockets of a room that belong to pages of other sites. */
export function otherSitesIn(room: string): string {
  return `other-sites:${room}`
}

/** The room of all sockets of one session. */
export function sessionRoom(sessionId: string): string {
  return `session:${sessionId}`
}

/** All rooms that a peer's socket joins. `isElsewhere`: it belongs to a page of another site. */
export function roomsOf(peer: Peer, isElsewhere: boolean): string[] {
  const own = roomOf(peer)
  if (peer.side === 'visitor') return [own]
  const shared = peer.side === 'customer' ? [CUSTOMERS, sessionRoom(peer.sessionId)] : [SELLERS]
  return [own, ...shared, ...(isElsewhere ? [otherSitesIn(own)] : [])]
}

/** Ids of the sellers that have one of these rooms. */
export function sellersIn(rooms: Iterable<string>): string[] {
  return [...rooms].filter(room => room.startsWith(SELLER)).map(room => room.slice(SELLER.length))
}
