import { createServer, request } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { openAccessLog } from '#server/http/access-log.ts'
import { openLog } from '#server/platform/log.ts'

const A_NEW_ID = expect.stringMatching(/^[\da-f-]{36}$/) as unknown

const lines: Record<string, unknown>[] = []
const to = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines.push(JSON.parse(String(chunk)) as Record<string, unknown>)
    done()
  },
})
afterEach(() => void lines.splice(0))

/** A server with an access log; it never finishes `/slow`. */
async function listen() {
  const access = openAccessLog(openLog({ level: 'info' }, to))
  const server = createServer((req, res) => {
    access?.request(req, res)
    if (req.url === '/slow') res.write('part')
    else res.writeHead(req.url === '/missing' ? 404 : 200).end('x'.repeat(1000))
  }).listen(0, '127.0.0.1')
  server.on('upgrade', (req, socket) => {
    access?.upgrade(req, socket)
    socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  })
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test('each request is logged with its method, path, status, duration and bytes', async () => {
  const { server, url } = await listen()
  const headers = { authorization: 'Bearer hidden', cookie: 'rt=hidden' }
  await (await fetch(`${url}/products?value=hidden+wishes`, { headers })).text()
  await (await fetch(`${url}/missing`, { method: 'POST', body: 'hidden' })).text()
  await expect.poll(() => lines).toHaveLength(2)

  const timed = { level: 30, msg: 'request', ms: expect.any(Number), bytes: expect.any(Number) }
  expect(lines).toMatchObject([
    { ...timed, method: 'GET', path: '/products', status: 200 },
    { ...timed, method: 'POST', path: '/missing', status: 404 },
  ])
  for (const { bytes } of lines) expect(bytes).toBeGreaterThan(1000)
  expect(JSON.stringify(lines)).not.toContain('hidden')
  server.close()
})

test('each line has the id that a proxy has given the request, or a new one', async () => {
  const { server, url } = await listen()
  for (const id of ['from-nginx', 'two words', '']) await (await fetch(url, { headers: { 'x-request-id': id } })).text()
  await expect.poll(() => lines).toHaveLength(3)

  expect(lines.map(({ requestId }) => requestId)).toEqual(['from-nginx', A_NEW_ID, A_NEW_ID])
  server.close()
})

test('an aborted request and a WebSocket are logged, too', async () => {
  const { server, url } = await listen()
  const leaving = request(`${url}/slow`).end()
  await once(leaving, 'response')
  leaving.destroy()
  leaving.on('error', () => undefined)
  await expect.poll(() => lines).toMatchObject([{ path: '/slow', isAborted: true }])

  const upgrading = request(`${url}/socket.io/?token=hidden`, {
    headers: { connection: 'upgrade', upgrade: 'websocket' },
  }).end()
  const [, socket] = (await once(upgrading, 'upgrade')) as [unknown, { destroy(): void }]
  socket.destroy()
  await expect.poll(() => lines.at(-1)).toMatchObject({ path: '/socket.io/', status: 101 })
  server.close()
})

test('nothing is logged at the level warn', () => {
  expect(openAccessLog(openLog({ level: 'warn' }, to))).toBeNull()
})
