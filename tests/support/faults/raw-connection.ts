import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface RawConnection {
  socket: Socket
  /** Everything received so far. */
  received: () => string
  /** The HTTP statuses received so far. */
  statuses: () => number[]
  /** Resolves with everything received when the connection has been closed or reset. */
  closed: Promise<string>
  /** Whether the server reset the connection. */
  wasReset: () => boolean
}

/** Opens a raw connection for requests that no HTTP client sends. With `isPaused` it reads nothing until resumed. */
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

/** The raw text of a request. */
export function requestText(path: string, headers: Record<string, string> = {}, method = 'GET'): string {
  const lines = Object.entries({ host: 'shop.test', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}
