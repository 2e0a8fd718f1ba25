import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { sendBody } from '#server/http/send-body.ts'
import { sendUnavailable } from '#server/http/unavailable.ts'
import {
  type Handle,
  LARGE,
  readSlowly,
  startManagedServer,
  STUCK_MS,
} from '#tests/support/processes/managed-server.ts'
import { requestText } from '#tests/support/faults/raw-connection.ts'
import { PATIENCE } from '#tests/support/patience.ts'

const WEBSOCKET = { connection: 'upgrade', upgrade: 'websocket' }

/** Collects responses until the test ends them. */
function heldAnswers() {
  const responses: ServerResponse[] = []
  return {
    responses,
    answer: ((_, response) => void responses.push(response)) satisfies Handle,
    finishNext: () => responses.shift()?.end('done'),
  }
}

describe('pipelined requests', () => {
  test('are answered one after the other, in order', async () => {
    let atOnce = 0
    let most = 0
    const { open } = await startManagedServer(async ({ url }, response) => {
      most = Math.max(most, (atOnce += 1))
      await sleep(Number(url?.slice(1)) % 3)
      atOnce -= 1
      response.end(`<${url}>`)
    })
    const client = await open()
    const paths = Array.from({ length: 200 }, (_, at) => `/${at}`)

    client.socket.write(paths.map(path => requestText(path)).join(''))

    await vi.waitFor(() => expect(client.received()).toContain('</199>'), PATIENCE)
    expect(client.received().match(/<[^>]*>/g)).toEqual(paths.map(path => `<${path}>`))
    expect(most).toBe(1)
  })

  test('are not started after the client has disconnected', async () => {
    const { responses, answer } = heldAnswers()
    const { open } = await startManagedServer(answer)
    const client = await open()
    client.socket.write(requestText('/').repeat(50))
    await vi.waitFor(() => expect(responses).toHaveLength(1), PATIENCE)
    const closed = once(responses[0]!, 'close')

    client.socket.resetAndDestroy()
    await client.closed
    responses[0]!.end()
    await closed
    await new Promise(setImmediate)

    expect(responses).toHaveLength(1)
  })

  test('continue after a HEAD, a body and an Expect: 100-continue', async () => {
    const { open } = await startManagedServer((request, response) => {
      request.resume().once('end', () => response.end(`<${request.method}>`))
    })
    const client = await open()

    client.socket.write(requestText('/', {}, 'HEAD'))
    client.socket.write(`${requestText('/', { 'content-length': '4' }, 'PUT')}body`)
    client.socket.write(requestText('/', { 'content-length': '4', expect: '100-continue' }, 'POST'))
    await vi.waitFor(() => expect(client.statuses()).toEqual([200, 200, 100]), PATIENCE)
    client.socket.write(`body${requestText('/')}`)

    await vi.waitFor(() => expect(client.statuses()).toEqual([200, 200, 100, 200, 200]), PATIENCE)
    expect(client.received().match(/<[A-Z]*>/g)).toEqual(['<PUT>', '<POST>', '<GET>'])
  })

  test('close the connection when too many wait, while other clients are served', async () => {
    const { responses, answer } = heldAnswers()
    const { open } = await startManagedServer(answer, { maxWaiting: 100 })
    const [patient, greedy, usual] = [await open(), await open(), await open()]
    patient.socket.write(requestText('/').repeat(90))
    await vi.waitFor(() => expect(responses).toHaveLength(1), PATIENCE)

    greedy.socket.write(requestText('/').repeat(90))
    await greedy.closed
    usual.socket.write(requestText('/'))
    await vi.waitFor(() => expect(responses).toHaveLength(3), PATIENCE)
    responses[2]!.end()
    responses[0]!.end()

    await vi.waitFor(() => expect([usual.statuses(), patient.statuses()]).toEqual([[200], [200]]), PATIENCE)
  })
})

describe('a client that reads nothing', () => {
  test('is disconnected, and its other requests are not started', async () => {
    let begun = 0
    const { open, server } = await startManagedServer((_, response) => {
      begun += 1
      response.end(LARGE)
    })
    const connected = once(server, 'connection')
    const client = await open({ isPaused: true })
    const [connection] = (await connected) as [Socket]
    const startedAt = performance.now()

    client.socket.write(requestText('/').repeat(500))
    await once(connection, 'close')

    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(STUCK_MS)
    expect(begun).toBeLessThan(100)
  })

  test('is disconnected even while it keeps sending', async () => {
    const { open } = await startManagedServer((_, response) => response.end(LARGE))
    const client = await open({ isPaused: true })
    client.socket.write(requestText('/').repeat(50))
    const sending = setInterval(() => client.socket.writable && client.socket.write('x'), STUCK_MS / 10)

    await client.closed
    clearInterval(sending)

    expect(client.socket.destroyed).toBe(true)
  })

  test('is not confused with one that reads slowly', async () => {
    // Long enough for a client on a busy machine.
    const stuckMs = 3 * STUCK_MS
    const large = Buffer.alloc(8 * LARGE.length)
    const { open } = await startManagedServer((_, response) => sendBody(response, large), { stuckMs })
    const client = await open({ isPaused: true })
    const startedAt = performance.now()
    client.socket.write(requestText('/', { connection: 'close' }))

    const length = (await readSlowly(client, 20)).length

    expect(length).toBeGreaterThan(large.length)
    expect(performance.now() - startedAt).toBeGreaterThan(2 * stuckMs)
  })

  test('is not confused with one that waits for a slow response', async () => {
    const { open } = await startManagedServer(async (_, response) => {
      await sleep(3 * STUCK_MS)
      response.end('at last')
    })
    const client = await open()

    client.socket.write(requestText('/'))

    await vi.waitFor(() => expect(client.received()).toContain('at last'), 10_000)
  })
})

describe('over the limit', () => {
  test('new connections get a 503 with retry-after', async () => {
    const { answer } = heldAnswers()
    const { open } = await startManagedServer(answer, { maxConnections: 4 })
    for (let count = 0; count < 4; count += 1) (await open()).socket.write(requestText('/'))
    const surplus = await open()

    surplus.socket.write(requestText('/'))

    expect(await surplus.closed).toMatch(/^HTTP\/1\.1 503 .*retry-after: \d+.*connection: close/is)
  })

  test('new connections replace idle ones', async () => {
    const { open } = await startManagedServer((_, response) => response.end(), { maxConnections: 4 })
    for (let count = 0; count < 20; count += 1) {
      const client = await open()
      client.socket.write(requestText('/'))
      await vi.waitFor(() => expect(client.statuses()).toEqual([200]), PATIENCE)
    }
  })

  test('concurrent requests get a 503, and long polls leave room for others', async () => {
    const open: ServerResponse[] = []
    const { open: connect } = await startManagedServer(
      ({ url }, response, connections) => {
        if (connections.hold(response, url === '/poll' ? 'lasting' : 'short')) open.push(response)
        else sendUnavailable(response)
      },
      { maxConnections: 40 },
    )
    const ask = async (path: string) => {
      const client = await connect()
      client.socket.write(requestText(path))
      return client
    }
    for (let count = 0; count < 20; count += 1) await ask('/poll')
    await vi.waitFor(() => expect(open).toHaveLength(20), PATIENCE)

    expect(await (await ask('/poll')).closed).toMatch(/^HTTP\/1\.1 503/)
    for (let count = 0; count < 10; count += 1) await ask('/cart')
    await vi.waitFor(() => expect(open).toHaveLength(30), PATIENCE)
    expect(await (await ask('/cart')).closed).toMatch(/^HTTP\/1\.1 503/)
    open.at(-1)!.end()
    await once(open.at(-1)!, 'close')
    await ask('/cart')
    await vi.waitFor(() => expect(open).toHaveLength(31), PATIENCE)
  })

  test('WebSockets are rejected with a 503, while pages are still served', async () => {
    const { open } = await startManagedServer((_, response) => response.end(), { maxConnections: 8 })
    const upgrade = async () => {
      const client = await open()
      client.socket.write(requestText('/socket', WEBSOCKET))
      await vi.waitFor(() => expect(client.statuses()).toHaveLength(1), PATIENCE)
      return client.statuses()[0]
    }

    for (let count = 0; count < 4; count += 1) expect(await upgrade()).toBe(101)
    expect(await upgrade()).toBe(503)
    const visitor = await open()
    visitor.socket.write(requestText('/'))

    await vi.waitFor(() => expect(visitor.statuses()).toEqual([200]), PATIENCE)
  })
})

test('a connection with pending responses is closed instead of upgraded to a WebSocket', async () => {
  const { responses, answer } = heldAnswers()
  const { open } = await startManagedServer(answer)
  const client = await open()

  client.socket.write(requestText('/') + requestText('/') + requestText('/socket', WEBSOCKET))

  expect(await client.closed).toBe('')
  expect(responses).toHaveLength(1)
})

test('a client that has half-closed its connection still gets its responses', async () => {
  const { open } = await startManagedServer(async (_, response) => {
    await sleep(1)
    response.end()
  })
  const client = await open()

  client.socket.end(requestText('/').repeat(10))
  await client.closed

  expect(client.statuses().length).toBeGreaterThanOrEqual(9)
})
