import type { DefaultEventsMap, Server, Socket } from 'socket.io'
import type { Peer } from './socket-auth.ts'

type None = DefaultEventsMap
/** Data of an admitted socket. */
interface Known {
  peer: Peer
  token: unknown
  /** For pages of other sites: the origin of the URLs of files. */
  mediaOrigin?: string | undefined
}
export type PeerServer = Server<None, None, None, Known>
export type PeerSocket = Socket<None, None, None, Known>
