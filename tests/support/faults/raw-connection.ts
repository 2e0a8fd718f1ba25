import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface RawConnection {
  socket: Socket
  /** All that has been read so far. */
  received: () => string
  /** The status lines of what has been read so far. */
  statuses: () => number[]
  /** Resolves with everything received when the other side has ended the connection or reset it. */
  closed: Promise<string>
  /** Whether the other side reset the connection. */
  wasReset: () => boolean
}

/** A connection to a server on this machine, for what no HTTP client sends. Nothing is read while it is `paused`. */
export async function openConnection(
  url: string,
  { isPaused = false, localAddress = '' } = {},
): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), localAddress: localAddress || undefined })
  let received = ''
  let isReset = false
  socket.on('error', (error: NodeJS.ErrnoException) => (isReset ||= error.code === 'ECONNRESET'))
  const closed = new Promise<string>(resolve => socket.once('close', () => resolve(received)))
  await once(socket, 'connect')
  socket.setEncoding('latin1').on('data', text => (received += text))
  if (isPaused) socket.pause()
  const statuses = () => [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
  return { socket, received: () => received, statuses, closed, wasReset: () => isReset }
}

/** The bytes of a request. */
export function requestText(path: string, headers: Record<string, string> = {}, method = 'GET'): string {
  const lines = Object.entries({ host: 'shop.test', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}
