import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { type Connections, manageConnections } from '#server/http/connections.ts'
import { openConnection, type RawConnection } from '../faults/raw-connection.ts'

export type Handle = (request: IncomingMessage, response: ServerResponse, connections: Connections) => void
type Limits = Partial<Omit<Parameters<typeof manageConnections>[1], 'handle'>>

export const STUCK_MS = 300
export const LARGE = Buffer.alloc(1024 * 1024, 'x')

/** A server in this process with the shop's connection management. It is closed when the test ends. */
export async function startManagedServer(handle: Handle, limits: Limits = {}) {
  const server = createServer()
  const opened: RawConnection[] = []
  const connections: Connections = manageConnections(server, {
    maxConnections: 100,
    stuckMs: STUCK_MS,
    handle: (request, response) => handle(request, response, connections),
    upgrade: (_, socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
    ...limits,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  onTestFinished(() => {
    for (const { socket } of opened) socket.destroy()
    if (server.listening) server.close()
    server.closeAllConnections()
  })
  return {
    url,
    server,
    connections,
    async open(options = {}) {
      const connection = await openConnection(url, options)
      opened.push(connection)
      return connection
    },
  }
}

/** Reads one chunk every `everyMs` until the connection ends. */
export async function readSlowly({ socket, closed }: RawConnection, everyMs = 8): Promise<string> {
  const reading = setInterval(() => {
    socket.once('data', () => socket.pause())
    socket.resume()
  }, everyMs)
  const text = await closed
  clearInterval(reading)
  return text
}
