import { once } from 'node:events'
import { connect } from 'node:net'
import type { Endpoint } from '#contract/endpoint.ts'

/** Sends one call and resets the connection right after, so that the shop reads both at the same moment. */
export async function sendAndReset(
  shopUrl: string,
  { method, path }: Endpoint,
  body: object,
  { isChunked = false } = {},
): Promise<void> {
  const { hostname, port } = new URL(shopUrl)
  const json = JSON.stringify(body)
  const bytes = Buffer.byteLength(json)
  const text = isChunked ? `${bytes.toString(16)}\r\n${json}\r\n0\r\n\r\n` : json
  const lines = [
    `${method} /api${path} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    'Content-Type: application/json',
    isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`,
  ]
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  // If the shop closes the connection first, nothing is sent.
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  if (!socket.destroyed)
    await new Promise(resolve => void socket.write(`${lines.join('\r\n')}\r\n\r\n${text}`, resolve))
  socket.resetAndDestroy()
}
