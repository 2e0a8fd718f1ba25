import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

interface Options {
  /** Called with the clients' bytes before they are forwarded. `freeze` called here still holds them back. */
  onSent?: (bytes: Buffer) => void
}

/**
 * A TCP proxy between clients and a server. `cut` destroys every connection; `freeze` stops forwarding on the open ones
 * but leaves them open; `to` changes the target port.
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
