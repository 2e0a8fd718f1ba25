import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** All connections whose address cannot be told share this one, so that they share its limits. */
const UNKNOWN = 'unknown'

/** A socket, as far as it is asked for its address. */
export type Connection = Pick<Socket, 'remoteAddress'>

const addresses = new WeakMap<Connection, string>()

/** Reads the address of each connection when it opens: the socket forgets it once the client resets the connection. */
export function readAddresses(server: Server): void {
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    // Reset before it was accepted: there is nobody to respond to.
    if (!remoteAddress) socket.destroy()
    else addresses.set(socket, remoteAddress)
  })
}

/** The address at the other end of a connection; for a server without `readAddresses`, as long as the client is there. */
export function connectionAddress(socket: Connection): string {
  return addresses.get(socket) ?? socket.remoteAddress ?? UNKNOWN
}
