import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** All connections without a known address share this one and its limits. */
const UNKNOWN = 'unknown'

export type Connection = Pick<Socket, 'remoteAddress'>

const addresses = new WeakMap<Connection, string>()

/** Stores the address of each connection when it opens: a socket loses it once the client resets the connection. */
export function readAddresses(server: Server): void {
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    // The client reset the connection before it was accepted.
    if (!remoteAddress) socket.destroy()
    else addresses.set(socket, remoteAddress)
  })
}

/** The client's address. Without `readAddresses`, known only while the client is connected. */
export function connectionAddress(socket: Connection): string {
  return addresses.get(socket) ?? socket.remoteAddress ?? UNKNOWN
}
