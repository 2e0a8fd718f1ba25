import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import * as contract from '#contract/auth.ts'
import { getCategories } from '#contract/catalogue.ts'
import { newcomer } from '#tests/support/accounts/customer.ts'
import { rounds } from '#tests/support/rounds.ts'
import { type Server, startServer } from '#tests/support/processes/server-process.ts'
import { makeShopData } from '#tests/support/provider/shop-data.ts'
import { layInto } from '#tests/support/provider/snapshot.ts'
import { mountSmallDisk } from '#tests/support/faults/small-disk.ts'
import { PATIENCE } from '#tests/support/patience.ts'

const DISK_MEGABYTES = 200
/** Enough registrations that the last pages of the database’s tables cannot hold them all. */
const AT_ONCE = 10
const SIGNALS = (['SIGKILL', 'SIGTERM'] as const).slice(0, rounds(1, 2))
const STARTS = rounds(1, 3)

const disk = mountSmallDisk(DISK_MEGABYTES)
const { environment, dataDir, remove } = await makeShopData(undefined, {
  LIMITS: 'register=100000/1m,api=100000/1m',
})
const place = join(disk?.folder ?? dataDir, 'data')
await mkdir(place)
await layInto(join(place, 'db'), inject('snapshot')!)
let server: Server
afterAll(async () => {
  await server.kill()
  await remove()
  disk?.remove()
})

async function open(): Promise<Server> {
  const started = await startServer({ ...environment, DATA_DIR: place, DEMO: 'on' })
  if (!(await started.opens())) throw new Error((await started.ended).said)
  return started
}

async function register(): Promise<Response[]> {
  const once = () =>
    fetch(`${server.url}/api${contract.register.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(newcomer()),
    })
  return Promise.all(Array.from({ length: AT_ONCE }, once))
}

async function statuses(): Promise<number[]> {
  return (await register()).map(({ status }) => status)
}

async function expectRefusals(): Promise<void> {
  // Without permission to mount a disk, the disk never gets full; the rest is tested all the same.
  if (!disk) return
  await expect.poll(statuses, PATIENCE).toContain(503)
  const refusal = (await register()).find(({ status }) => status === 503)
  expect(Number(refusal?.headers.get('retry-after'))).toBeGreaterThan(0)
}

test.each(SIGNALS)(
  'a shop stopped by %s on a full disk starts, shows pages and accepts customers when there is space',
  { timeout: 600_000 },
  async signal => {
    server = await open()
    disk?.fill()
    await expectRefusals()
    server.signal(signal)
    await server.ended

    for (let start = 0; start < STARTS; start += 1) {
      server = await open()
      expect((await fetch(server.url)).status).toBe(200)
      expect((await fetch(`${server.url}/api${getCategories.path}`)).status).toBe(200)
      await expectRefusals()
      await server.kill()
    }

    server = await open()
    disk?.free()
    await expect.poll(statuses, PATIENCE).toEqual(Array(AT_ONCE).fill(201))
    await server.kill()
  },
)
