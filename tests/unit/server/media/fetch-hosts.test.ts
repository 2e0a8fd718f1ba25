import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { createPictureFetcher } from '#server/media/fetch.ts'

const MB = 1024 * 1024
const PNG = 'HTTP/1.1 200 OK\r\ncontent-type: image/png\r\n'
const MOVED = 'HTTP/1.1 302 Found\r\nlocation: https://shop.example/'

const fixture = (name: string) => readFileSync(new URL(`../../../fixtures/${name}`, import.meta.url), 'utf8')
const ca = fixture('pictures-cert.pem')
let asked: string[] = []
let answer: (request: IncomingMessage, response: ServerResponse) => void
const server = createServer({ key: fixture('pictures-key.pem'), cert: ca }, (request, response) => {
  asked.push(request.url ?? '')
  answer(request, response)
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const shop = `https://shop.example:${(server.address() as AddressInfo).port}`
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const fetcher = () =>
  createPictureFetcher({
    ca,
    isAllowed: () => true,
    resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
  })

test.each<[string, (socket: TLSSocket) => void, RegExp]>([
  [
    'sends less than it announced',
    socket => socket.end(`${PNG}content-length: 100\r\n\r\nshort`),
    /cannot be reached|aborted/,
  ],
  ['never ends its headers', socket => socket.write(`${PNG}x: ${'x'.repeat(64 * 1024)}`), /HPE_HEADER_OVERFLOW/],
  [
    'leads to an address of 60 KB',
    socket => socket.write(`${MOVED}${'x'.repeat(60_000)}\r\n\r\n`),
    /HPE_HEADER_OVERFLOW/,
  ],
  ['speaks no HTTP', socket => socket.end('SSH-2.0-OpenSSH_9.2\r\n'), /cannot be reached \(HPE_/],
  ['announces two lengths', socket => socket.end(`${PNG}content-length: 1\r\ncontent-length: 9\r\n\r\na`), /HPE_/],
])('a host that %s gives an error with a reason', async (_, speak, reason) => {
  answer = request => speak(request.socket as TLSSocket)

  await expect(fetcher()(`${shop}/a.png`)).rejects.toThrow(reason)
})

test('a compressed response is not decompressed', async () => {
  const packed = gzipSync(Buffer.alloc(64 * MB))
  answer = (_request, response) =>
    void response.writeHead(200, { 'content-type': 'image/png', 'content-encoding': 'gzip' }).end(packed)

  expect(await fetcher()(`${shop}/a.png`)).toEqual(packed)
})

test.each([`https://user@shop.example/a`, 'https://:secret@shop.example/a', 'file:///etc/passwd', 'data:image/png,a'])(
  'a host cannot redirect to %s',
  async address => {
    asked = []
    answer = (_request, response) => void response.writeHead(302, { location: address }).end()

    await expect(fetcher()(`${shop}/a.png`)).rejects.toThrow(/password|only https/)
    expect(asked).toEqual(['/a.png'])
  },
)
