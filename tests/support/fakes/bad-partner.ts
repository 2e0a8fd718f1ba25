import { createServer, type Server, type Socket } from 'node:net'
import { freePort, listenOn } from '../ports.ts'

/** Not listening, no response, reset connections, or an unexpected response. */
export type Outage = 'down' | 'silent' | 'reset' | 'garbage'

const PAGE = '<!doctype html><title>Maintenance</title>'
const GARBAGE = `HTTP/1.1 200 OK\r\nContent-Length: ${PAGE.length}\r\nConnection: close\r\n\r\n${PAGE}`

/** A failing server that the shop calls by HTTP or SMTP. It handles all connections according to the outage. */
export async function startBadPartner({ speaksFirst = false } = {}) {
  const sockets = new Set<Socket>()
  let outage: Outage = 'down'
  let server: Server | null = null
  const port = await freePort()

  async function open(): Promise<Server> {
    const opened = createServer(meet)
    await listenOn(port, opened)
    return opened
  }

  function meet(socket: Socket): void {
    sockets.add(socket)
    // The shop may close the connection first.
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    if (outage === 'reset') socket.resetAndDestroy()
    if (outage !== 'garbage') return
    if (speaksFirst) socket.end(GARBAGE)
    else socket.once('data', () => socket.end(GARBAGE))
  }

  function hangUp(): void {
    for (const socket of sockets) socket.destroy()
  }

  async function close(): Promise<void> {
    const closing = server
    server = null
    hangUp()
    if (closing) await new Promise(resolve => closing.close(resolve))
  }

  return {
    /** As a web address; other protocols use the same port. */
    url: `http://127.0.0.1:${port}`,
    async be(next: Outage) {
      outage = next
      if (next === 'down') await close()
      else server ??= await open()
    },
    /** Closes all open connections. */
    hangUp,
    /** Number of open connections. */
    waiting: () => sockets.size,
    close,
  }
}
