import type { DefaultEventsMap, Server, Socket } from 'socket.io'
import type { Peer } from './socket-auth.ts'

type None = DefaultEventsMap
/** Data of an admitted socket. */
interface Known {
  peer: Peer
  token: unknown
}
export type PeerServer = Server<None, None, None, Known>
export type PeerSocket = Socket<None, None, None, Known>
