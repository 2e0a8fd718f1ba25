import { describe, expect, test, vi } from 'vitest'
import { sendUnavailable } from '#server/http/unavailable.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { requestText } from '#tests/support/faults/raw-connection.ts'
import { startManagedServer } from '#tests/support/processes/managed-server.ts'

describe('one client', () => {
  test('has a limit of connections, while others are served', async () => {
    const { open } = await startManagedServer((_, response) => response.end('done'), { maxPerClient: 4 })
    const own = [await open(), await open(), await open(), await open()]
    const surplus = await open()
    const beyond = await open().then(
      ({ closed }) => closed,
      () => '',
    )
    const other = await open({ localAddress: '127.0.0.2' })

    surplus.socket.write(requestText('/'))
    other.socket.write(requestText('/'))

    expect(await surplus.closed).toMatch(/^HTTP\/1\.1 503/)
    expect(beyond).toBe('')
    await vi.waitFor(() => expect(other.statuses()).toEqual([200]), PATIENCE)
    own[0]!.socket.destroy()
    await own[0]!.closed
    const next = await open()
    next.socket.write(requestText('/'))
    await vi.waitFor(() => expect(next.statuses()).toEqual([200]), PATIENCE)
  })

  test('behind a proxy leaves room for others', async () => {
    const { open } = await startManagedServer(
      (request, response, connections) => {
        if (!connections.hold(response, 'short')) sendUnavailable(response)
        else if (request.url !== '/slow') response.end('done')
      },
      { maxConnections: 40, maxPerClient: 8, trustedProxies: 1 },
    )
    const get = async (path: string, address: string) => {
      const client = await open()
      client.socket.write(requestText(path, { 'x-forwarded-for': address }))
      return client
    }
    const statusOf = async (address: string) => {
      const client = await get('/', address)
      await vi.waitFor(() => expect(client.statuses()).toHaveLength(1), PATIENCE)
      return client.statuses()[0]
    }
    const slow = await Promise.all(Array.from({ length: 8 }, () => get('/slow', '9.0.0.1')))

    expect(await statusOf('9.0.0.1')).toBe(503)
    for (let count = 0; count < 20; count += 1) expect(await statusOf('9.0.0.2')).toBe(200)
    slow[0]!.socket.destroy()
    await slow[0]!.closed
    expect(await statusOf('9.0.0.1')).toBe(200)
  })

  test('that does not send the bodies of its requests gets a 503, while others are served', async () => {
    let begunCount = 0
    const { open } = await startManagedServer(
      (request, response, connections) => {
        begunCount += 1
        if (connections.hold(response, 'short')) request.resume().once('end', () => response.end('done'))
        else sendUnavailable(response)
      },
      { maxConnections: 64 },
    )
    /** Begins a request with a body of four letters, and sends some of them. */
    const begin = async (letters: string, localAddress = '127.0.0.1') => {
      const client = await open({ localAddress })
      const before = begunCount
      client.socket.write(requestText('/login', { 'content-length': '4' }, 'POST') + letters)
      await vi.waitFor(() => expect(begunCount).toBeGreaterThan(before), PATIENCE)
      return client
    }
    const statusOf = async (client: Awaited<ReturnType<typeof begin>>) => {
      await vi.waitFor(() => expect(client.statuses()).toHaveLength(1), PATIENCE)
      return client.statuses()[0]
    }
    const unfinished = [await begin('ab'), await begin('')]

    expect(await statusOf(await begin('ab'))).toBe(503)
    expect(await statusOf(await begin('abcd', '127.0.0.2'))).toBe(200)
    unfinished[0]!.socket.write('cd')
    expect(await statusOf(unfinished[0]!)).toBe(200)
    for (let count = 0; count < 5; count += 1) expect(await statusOf(await begin('abcd'))).toBe(200)
    unfinished[1]!.socket.destroy()
    await unfinished[1]!.closed
    const later = [await begin('ab'), await begin('ab')]
    expect(await statusOf(await begin('ab'))).toBe(503)
    for (const client of later) client.socket.write('cd')
    expect(await Promise.all(later.map(statusOf))).toEqual([200, 200])
  })

  test('behind a proxy has a limit of WebSockets, too', async () => {
    const { open } = await startManagedServer((_, response) => response.end(), {
      maxConnections: 40,
      maxPerClient: 8,
      trustedProxies: 1,
    })
    const upgrade = async (address: string) => {
      const client = await open()
      client.socket.write(
        requestText('/socket', { connection: 'upgrade', upgrade: 'websocket', 'x-forwarded-for': address }),
      )
      await vi.waitFor(() => expect(client.statuses()).toHaveLength(1), PATIENCE)
      return client.statuses()[0]
    }

    // One household has a whole /64 network.
    for (let at = 0; at < 8; at += 1) expect(await upgrade(`2001:db8:1:2::${at}`)).toBe(101)
    expect([await upgrade('2001:db8:1:2::ffff'), await upgrade('2001:db8:1:3::1')]).toEqual([503, 101])
  })
})
