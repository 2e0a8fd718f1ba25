import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { cutSlowBodies } from '#server/http/slow-bodies.ts'
import { listen } from '#tests/support/fakes/http.ts'

const MS = 100

const server = await listen((request, response) => {
  cutSlowBodies(request, { ms: MS, isLarge: path => path === '/files' })
  text(request).then(
    body => response.end(body),
    () => undefined,
  )
})
afterAll(server.close)

/** Sends half of a body, and the rest after `isTime` resolves. */
async function dribble(
  path: string,
  isTime: (closed: Promise<unknown>) => Promise<unknown>,
  method = 'POST',
): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  const closed = once(socket, 'close')
  socket.on('error', () => undefined)
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 4\r\n\r\nab`)
  const answer = text(socket).catch(() => '')
  await isTime(closed)
  if (!socket.destroyed) socket.write('cd')
  return answer
}

const later = () => new Promise(resolve => setTimeout(resolve, 3 * MS))

test.each(['POST', 'GET', 'HEAD'])('a slow %s body closes the connection', async method => {
  expect(await dribble('/orders', closed => closed, method)).toBe('')
})

test('large uploads get the time that they need', async () => {
  expect(await dribble('/files', later)).toMatch(/^HTTP\/1\.1 200 .*abcd$/s)
})

test('a body that arrives in time gets its response', async () => {
  expect(await dribble('/orders', async () => undefined)).toMatch(/^HTTP\/1\.1 200 .*abcd$/s)
})
