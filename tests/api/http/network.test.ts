import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { pino } from 'pino'
import { afterAll, expect, inject, test } from 'vitest'
import { queryProducts } from '#contract/catalogue.ts'
import { login } from '#contract/auth.ts'
import { readConfig } from '#server/config.ts'
import { openProvider } from '#server/provider.ts'
import { listen } from '#tests/support/fakes/http.ts'
import { createDatabase } from '#tests/support/processes/postgres.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'piazza-network-'))
const cluster = inject('postgresUrl')
const provider = await openProvider(
  readConfig({
    DATA_DIR: dataDir,
    DATABASE_URL: cluster ? await createDatabase(cluster) : '',
    LIMITS: 'loginPerIp=3/1h,search=3/1h',
  }),
  pino({ level: 'silent' }),
)
const server = await listen(getRequestListener(provider.fetch, { overrideGlobalObjects: false }))
afterAll(async () => {
  await server.close()
  await provider.close()
  await rm(dataDir, { recursive: true })
})

const guess = (email: string) =>
  fetch(`${server.url}/api${login.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': email },
    body: JSON.stringify({ email, password: 'Wrong-1234' }),
  })

test('rate limits in a running shop count by the address of the connection', async () => {
  const statuses = []
  for (let at = 0; at < 5; at += 1) statuses.push((await guess(`nobody${at}@shop.example`)).status)

  expect(statuses).toEqual([422, 422, 422, 429, 429])
})

test('a request of the shop’s own pages is not counted', async () => {
  for (let at = 0; at < 5; at += 1) {
    const answer = await provider.fetch(new Request(`http://shop.test/api${queryProducts.path}?searchValue=x`))
    expect(answer.status).toBe(200)
  }
})
