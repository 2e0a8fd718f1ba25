import { describe, expect, test } from 'vitest'
import { openProbes } from '#server/http/probes.ts'
import { listen } from '#tests/support/fakes/http.ts'

describe('a load balancer', () => {
  test('sees a process alive and ready, and not ready before it ends', async () => {
    const probes = openProbes()
    const { url, close } = await listen((req, res) => void (probes.handle(req, res) || res.writeHead(404).end()))
    const statusOf = async (path: string) => (await fetch(url + path)).status

    expect([await statusOf('/api/health/live'), await statusOf('/api/health/ready')]).toEqual([200, 200])
    probes.close()

    const ready = await fetch(`${url}/api/health/ready`)
    expect([ready.status, ready.headers.get('retry-after'), await ready.json()]).toEqual([
      503,
      '1',
      { status: 'closing' },
    ])
    expect(await statusOf('/api/health/live')).toBe(200)
    expect(await statusOf('/api/health')).toBe(404)
    await close()
  })
})
