import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A network between clients and a server: `cut` breaks every connection, whatever is under way; `to` leads elsewhere. */
export async function startRelay(firstPort: number) {
  let port = firstPort
  const lines = new Set<Socket>()
  const server = createServer(near => {
    const far = connect(port, '127.0.0.1')
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
  const cut = () => lines.forEach(line => line.destroy())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    to: (next: number) => void (port = next),
    async close() {
      server.close()
      cut()
      await once(server, 'close')
    },
  }
}
