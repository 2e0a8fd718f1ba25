import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { freePort, listenOn } from '#tests/support/ports.ts'

test('no two tests get the same port, even if neither listens yet', async () => {
  const ports: number[] = []
  for (let at = 0; at < 600; at += 1) ports.push(await freePort())

  expect(new Set(ports).size).toBe(ports.length)
})

test('a server waits until the one before it has left the port', async () => {
  const port = await freePort()
  const before = createServer()
  await listenOn(port, before)
  const server = createServer()
  const refused = once(server, 'error')

  const listening = listenOn(port, server)
  await refused.catch(() => undefined)
  before.close()

  await listening
  expect(server.listening).toBe(true)
  server.close()
})
