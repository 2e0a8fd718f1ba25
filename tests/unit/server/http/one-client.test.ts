import { describe, expect, test, vi } from 'vitest'
import { sendUnavailable } from '#server/http/unavailable.ts'
import { PATIENCE } from '#tests/support/faults/patience.ts'
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
        if (connections.hold(response, 'short')) request.resume().once('end', () => response.end('done'))
        else sendUnavailable(response)
      },
      { maxConnections: 40, maxPerClient: 8, trustedProxies: 1 },
    )
    const post = async (address: string, headers = {}) => {
      const client = await open()
      client.socket.write(requestText('/login', { 'x-forwarded-for': address, ...headers }, 'POST'))
      return client
    }
    const statusOf = async (address: string) => {
      const client = await post(address)
      await vi.waitFor(() => expect(client.statuses()).toHaveLength(1), PATIENCE)
      return client.statuses()[0]
    }
    const slow = await Promise.all(Array.from({ length: 8 }, () => post('9.0.0.1', { 'content-length': '100' })))

    expect(await statusOf('9.0.0.1')).toBe(503)
    for (let count = 0; count < 20; count += 1) expect(await statusOf('9.0.0.2')).toBe(200)
    slow[0]!.socket.destroy()
    await slow[0]!.closed
    expect(await statusOf('9.0.0.1')).toBe(200)
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
