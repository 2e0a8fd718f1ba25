import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { pino } from 'pino'
import { SOCKET_PATH } from '#contract/realtime.ts'
import { readConfig } from '#server/config.ts'
import { readAddresses } from '#server/http/connection-address.ts'
import { openProvider } from '#server/provider.ts'

/** A provider in its own process, which a test can kill at any moment. It sends its port to its parent. */
const config = readConfig()
const provider = await openProvider(config, pino({ level: 'silent' }))
const { fetch, realtime } = provider
if (config.isDemo) {
  const { createDemo } = await import('#server/operators/demo/seed.ts')
  await createDemo(provider).seed()
}
await provider.start()
const answer = getRequestListener(fetch, { overrideGlobalObjects: false })
const server = createServer((req, res) =>
  req.url?.startsWith(SOCKET_PATH) ? realtime.handle(req, res) : void answer(req, res),
)
readAddresses(server)
server.on('upgrade', realtime.upgrade)
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.on('disconnect', () => process.exit(1))
process.send?.((server.address() as AddressInfo).port)
