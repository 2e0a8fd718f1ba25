import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { sendBody } from '#server/http/send-body.ts'
import { LARGE, readSlowly, startManagedServer } from '#tests/support/processes/managed-server.ts'
import { requestText } from '#tests/support/faults/raw-connection.ts'
import { PATIENCE } from '#tests/support/patience.ts'

describe('while closing', () => {
  test('serves connections that waited to be accepted when it was told to close', async () => {
    const { url, connections, server } = await startManagedServer((_, response) => response.end('served'))
    const { hostname: host, port } = new URL(url)
    const clients = Array.from({ length: 60 }, () => connect({ host, port: Number(port) }))
    const answers = clients.map(client => text(client.end(requestText('/'))).catch(String))

    const closed = once(server, 'close')
    connections.close()
    await closed

    for (const answer of await Promise.all(answers)) expect(answer).toContain('served')
  })

  test('idle connections may send a last request, and get connection: close', async () => {
    const { open, connections, server } = await startManagedServer((_, response) => response.end('served'))
    const clients = await Promise.all(Array.from({ length: 60 }, () => open()))
    for (const { socket } of clients) socket.write(requestText('/'))
    await vi.waitFor(() => expect(clients.every(({ statuses }) => statuses().length === 1)).toBe(true), PATIENCE)

    const closed = once(server, 'close')
    connections.close()
    const last = await Promise.all(
      clients.map(async ({ socket, closed, wasReset }) => {
        await sleep(100)
        socket.write(requestText('/'))
        return { text: await closed, isReset: wasReset() }
      }),
    )
    await closed

    for (const { text, isReset } of last) {
      expect(text.match(/served/g)).toHaveLength(2)
      expect(text).toMatch(/connection: close/i)
      expect(isReset).toBe(false)
    }
  })

  test('a connection without a request yet stays open for longer, if there is time', async () => {
    const { open, connections } = await startManagedServer((_, response) => response.end('served'), { idleCloseMs: 50 })
    const client = await open()

    connections.close(60_000)
    await sleep(300)
    client.socket.write(requestText('/'))

    expect(await client.closed).toContain('served')
  })

  test('a response that is still being read is sent completely', async () => {
    const { open, connections, server } = await startManagedServer(
      (_, response) => sendBody(response, Buffer.alloc(8 * LARGE.length)),
      { idleCloseMs: 50, stuckMs: 3000 },
    )
    const client = await open({ isPaused: true })
    client.socket.write(requestText('/'))
    await vi.waitFor(() => expect(client.socket.bytesRead).toBeGreaterThan(0), PATIENCE)

    const closed = once(server, 'close')
    connections.close()
    const length = (await readSlowly(client)).length
    await closed

    expect(length).toBeGreaterThan(8 * LARGE.length)
  })

  test('a client that reads nothing does not delay closing', async () => {
    const { open, connections, server } = await startManagedServer(
      (_, response) => sendBody(response, Buffer.alloc(8 * LARGE.length)),
      { idleCloseMs: 50, forceCloseMs: 200, stuckMs: 60_000 },
    )
    const client = await open({ isPaused: true })
    client.socket.write(requestText('/'))
    await vi.waitFor(() => expect(client.socket.bytesRead).toBeGreaterThan(0), PATIENCE)

    const closed = once(server, 'close')
    connections.close()
    await closed

    expect(client.received()).toBe('')
  })

  test('sends a response that takes longer than usual if it is given more time', async () => {
    const answering = Promise.withResolvers<() => void>()
    const { open, connections, server } = await startManagedServer(
      (_, response) => answering.resolve(() => response.end('served')),
      { forceCloseMs: 10, stuckMs: 60_000 },
    )
    const client = await open()
    client.socket.write(requestText('/'))
    const answer = await answering.promise

    const closed = once(server, 'close')
    connections.close(60_000)
    await sleep(300)
    answer()
    await closed

    expect(client.received()).toContain('served')
  })
})

describe('a server that is about to close', () => {
  test('keeps listening, ends each connection after its response, and rejects WebSockets', async () => {
    const { open, connections } = await startManagedServer((_, response) => response.end('served'))
    connections.drain()

    const one = await open()
    one.socket.write(requestText('/'))
    const other = await open()
    other.socket.write('GET /socket.io/ HTTP/1.1\r\nHost: shop\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n')

    expect(await one.closed).toMatch(/connection: close[\s\S]*served/i)
    expect(await other.closed).toMatch(/^HTTP\/1.1 503/)
  })
})
