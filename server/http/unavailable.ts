import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

const RETRY_AFTER_SECONDS = 5
const BODY = JSON.stringify({ error: 'The shop is busy, please try again in a moment' })

/** Sends a 503 as the connection's last response. */
export function sendUnavailable(response: ServerResponse): void {
  response.writeHead(503, {
    'content-type': 'application/json',
    'content-length': BODY.length,
    'cache-control': 'no-store',
    'retry-after': String(RETRY_AFTER_SECONDS),
    connection: 'close',
  })
  response.end(BODY)
}

/** Like `sendUnavailable`, for a WebSocket upgrade. */
export function rejectUpgrade(socket: Duplex): void {
  // Without a listener, a client that disconnects would end the process.
  socket.on('error', () => socket.destroy())
  socket.end(
    'HTTP/1.1 503 Service Unavailable\r\n' +
      `Retry-After: ${RETRY_AFTER_SECONDS}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    () => socket.destroy(),
  )
}
