import { getRequestListener } from '@hono/node-server'
import { afterAll, expect, test } from 'vitest'
import { register } from '#contract/auth.ts'
import { countCustomers } from '#server/accounts/customers.ts'
import { createApi } from '#lib/create-api.ts'
import { newcomer } from '#tests/support/accounts/customer.ts'
import { listen } from '#tests/support/fakes/http.ts'
import { startProvider } from '#tests/support/provider/provider.ts'
import { sendAndReset } from '#tests/support/faults/resets.ts'

const HONEST = 36
const GONE = 12

const { db, fetch: answer, close } = await startProvider({ isCheap: false, limits: 'register=1000/1h' })
const server = await listen(getRequestListener(answer, { overrideGlobalObjects: false }))
afterAll(async () => {
  await server.close()
  await close()
})

const api = createApi({ origin: server.url, fetch: request => fetch(request) })

test.each([
  ['one piece', false],
  ['chunks', true],
])('clients that disconnect before their turn, with a body in %s, cost no password hash', async (_, isChunked) => {
  await api.register(newcomer())
  const before = await countCustomers(db)
  let arrived = 0
  const count = () => void (arrived += 1)
  server.server.on('request', count)
  const honest = Array.from({ length: HONEST }, () => api.register(newcomer()))
  await expect.poll(() => arrived).toBe(HONEST)
  server.server.off('request', count)
  // Passwords are hashed one after the other: a new client waits for those before it.
  await Promise.all(Array.from({ length: GONE }, () => sendAndReset(server.url, register, newcomer(), { isChunked })))
  await Promise.all(honest)
  await api.register(newcomer())

  // A slow machine may notice one or two resets too late.
  const opened = (await countCustomers(db)) - before - HONEST - 1
  expect(opened).toBeLessThan(GONE / 2)
})
