import { once } from 'node:events'
import { connect } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { pino } from 'pino'
import { afterAll, expect, test, vi } from 'vitest'
import { createForwarder } from '#server/http/forward.ts'
import { lingering } from '#server/http/lingering.ts'
import { listen } from '#tests/support/fakes/http.ts'
import { sendPieces } from '#tests/support/uploads/uploading.ts'

const MEGABYTE = Buffer.alloc(1024 * 1024)

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
])('a client that sends 40 MB gets the 413 that was sent after the first byte %s', async (_, { url }) => {
  const pieces = Array.from({ length: 40 }, () => MEGABYTE)

  expect(await sendPieces(url, {}, pieces)).toMatchObject({ status: 413, error: 'too large' })
})

test('a client that needs seconds for the rest of its body is not disconnected', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const client = connect(Number(new URL(provider.url).port), '127.0.0.1')
  const closed = once(client, 'close')
  client.write(`POST / HTTP/1.1\r\nHost: shop.test\r\nContent-Length: ${3 * MEGABYTE.length}\r\n\r\n`)
  client.write(MEGABYTE)
  const [answer] = (await once(client, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 [^]*\r\ncontent-type: application\/json\r\n/)

  await vi.advanceTimersByTimeAsync(5000)
  client.write(MEGABYTE)
  await vi.advanceTimersByTimeAsync(4000)
  client.write(MEGABYTE)

  // An error would reject this.
  await closed
  expect(client.bytesWritten).toBeGreaterThan(3 * MEGABYTE.length)
  vi.useRealTimers()
})
