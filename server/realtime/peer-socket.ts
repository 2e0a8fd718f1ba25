import type { DefaultEventsMap, Server, Socket } from 'socket.io'
import type { Peer } from './socket-auth.ts'

type None = DefaultEventsMap
/** What is known of a socket once it has said who it is. */
interface Known {
  peer: Peer
  token: unknown
}
export type PeerServer = Server<None, None, None, Known>
export type PeerSocket = Socket<None, None, None, Known>
