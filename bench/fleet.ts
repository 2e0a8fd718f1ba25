import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, startPostgres } from '#tests/support/processes/postgres.ts'
import { startShopProcess } from '#tests/support/processes/shop-process.ts'
import { freePort } from '#tests/support/ports.ts'
import { buildIfNeeded, cpuMsOf, NO_LIMITS, restOf } from './load.ts'

const UNLIMITED = 'placeOrder ordersPerDay ordersPerDayPerIp chat chatBytes chatBytesPerIp socketEvents'
  .split(' ')
  .map(name => `${name}=100000000/1m`)
  .join(',')

type Cluster = Awaited<ReturnType<typeof startPostgres>>

export interface Fleet {
  urls: string[]
  /** CPU time of all processes of the shop so far, in ms. */
  cpuMs: () => number
  /** Resolves when all of them are idle. */
  rest: () => Promise<void>
  stop: () => Promise<void>
}

export interface FleetSetup {
  cluster: Cluster
  /** Configuration that all processes share. */
  environment: Record<string, string>
  /** Starts this many equal processes of the built shop. */
  start: (count: number) => Promise<Fleet>
  remove: () => Promise<void>
}

/** A new database for processes of the built shop, on the given PostgreSQL or on one of its own, with fsync on. */
export async function prepareFleet(more: Record<string, string>, given?: Cluster): Promise<FleetSetup> {
  buildIfNeeded()
  const cluster = given ?? (await startPostgres({ fsync: true }))
  const folder = await mkdtemp(join(tmpdir(), 'piazza-bench-'))
  await mkdir(join(folder, 'media'))
  const environment = {
    DATABASE_URL: await createDatabase(cluster.url),
    DATA_DIR: join(folder, '0'),
    MEDIA_DIR: join(folder, 'media'),
    LIMITS: `${NO_LIMITS},${UNLIMITED}`,
    LOG_LEVEL: 'error',
    PROVIDER_URL: '',
    PUBLIC_URL: '',
    SMTP_URL: '',
    ...more,
  }
  const startOne = async (at: number) =>
    startShopProcess({ ...environment, DATA_DIR: join(folder, String(at)) }, await freePort())
  return {
    cluster,
    environment,
    async start(count) {
      const processes: Awaited<ReturnType<typeof startOne>>[] = []
      for (let at = 0; at < count; at += 1) processes.push(await startOne(at))
      return {
        urls: processes.map(({ url }) => url),
        cpuMs: () => processes.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0),
        async rest() {
          await Promise.all(processes.map(({ pid }) => restOf(pid)))
        },
        async stop() {
          await Promise.all(processes.map(each => each.terminate()))
        },
      }
    },
    async remove() {
      if (!given) await cluster.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Processors that this process, the load generator, uses while `work` runs. */
export async function withOwnShare<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; generator: number }> {
  const [before, began] = [process.cpuUsage(), performance.now()]
  const result = await work()
  const { user, system } = process.cpuUsage(before)
  return { result, generator: (user + system) / 1000 / (performance.now() - began) }
}
