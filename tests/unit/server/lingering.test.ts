import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { createForwarder } from '#server/forward.ts'
import { lingering } from '#server/lingering.ts'
import { listen } from '#tests/support/http.ts'
import { sendPieces } from '#tests/support/uploading.ts'

const app = new Hono()
app.use(lingering)
app.post('*', async c => {
  const reader = c.req.raw.body!.getReader()
  await reader.read()
  reader.releaseLock()
  return c.json({ error: 'too large' }, 413)
})

const provider = await listen(getRequestListener(app.fetch, { overrideGlobalObjects: false }))
const forwarder = createForwarder({
  providerUrl: provider.url,
  publicUrl: 'http://shop.test',
  trustedProxies: 0,
  log: pino({ level: 'silent' }),
})
const storefront = await listen((req, res) => void forwarder.forward(req, res))
afterAll(async () => {
  await storefront.close()
  forwarder.close()
  await provider.close()
})

test.each([
  ['by the provider', provider],
  ['through a storefront elsewhere', storefront],
])('whoever sends 40 MB that are refused at the first byte is told so %s', async (_, { url }) => {
  const megabytes = Array.from({ length: 40 }, () => Buffer.alloc(1024 * 1024))

  expect(await sendPieces(url, {}, megabytes)).toMatchObject({ status: 413, error: 'too large' })
})
