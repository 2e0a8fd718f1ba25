import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

interface Options {
  /** Sees what clients send, before it goes on to the server; `freeze` then still holds it back. */
  onSent?: (bytes: Buffer) => void
}

/**
 * A network between clients and a server: `cut` breaks every connection, whatever is under way; `freeze` forwards nothing
 * more on those that are open, and leaves them open; `to` leads elsewhere.
 */
export async function startRelay(firstPort: number, { onSent }: Options = {}) {
  let port = firstPort
  const lines = new Set<Socket>()
  const server = createServer(near => {
    const far = connect(port, '127.0.0.1')
    if (onSent) near.on('data', onSent)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      lines.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        lines.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const freeze = () => lines.forEach(line => line.unpipe().resume())
  const cut = () => lines.forEach(line => line.destroy())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    port: (server.address() as AddressInfo).port,
    cut,
    freeze,
    to: (next: number) => void (port = next),
    async close() {
      server.close()
      cut()
      await once(server, 'close')
    },
  }
}
