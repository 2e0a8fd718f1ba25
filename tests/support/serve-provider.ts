import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { pino } from 'pino'
import { readConfig } from '#server/config.ts'
import { openProvider } from '#server/provider.ts'

/** A provider in a process of its own, which a test may end at any moment; it tells its parent its port. */
const provider = await openProvider(readConfig(), pino({ level: 'silent' }))
const server = createServer(getRequestListener(provider.fetch, { overrideGlobalObjects: false }))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.on('disconnect', () => process.exit(1))
process.send?.((server.address() as AddressInfo).port)
