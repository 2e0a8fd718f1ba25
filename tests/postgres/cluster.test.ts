import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { io } from 'socket.io-client'
import { Agent, request } from 'undici'
import { afterAll, expect, inject, test } from 'vitest'
import { getCategories } from '#contract/catalogue.ts'
import { SOCKET_PATH } from '#contract/realtime.ts'
import { socketPath } from '#server/platform/operators-socket.ts'
import { createApi } from '#lib/create-api.ts'
import { newcomer } from '#tests/support/accounts/customer.ts'
import { freePort } from '#tests/support/ports.ts'
import { createDatabase } from '#tests/support/processes/postgres.ts'
import { startShopProcess } from '#tests/support/processes/shop-process.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'piazza-cluster-'))
const metricsPort = await freePort()
const shop = await startShopProcess(
  {
    DATABASE_URL: await createDatabase(inject('postgresUrl')!),
    DATABASE_LISTEN_URL: '',
    DATA_DIR: dataDir,
    PROVIDER_URL: '',
    PUBLIC_URL: '',
    DEMO: 'on',
    DRAIN_SECONDS: '1',
    PROCESSES: '2',
    METRICS_PORT: String(metricsPort),
  },
  await freePort(),
)
afterAll(async () => {
  await shop.kill()
  await rm(dataDir, { recursive: true, force: true })
})

const api = createApi({ origin: shop.url, fetch })
/** A connection of its own, so that the processes take turns. */
const ask = async (path: string) => {
  const response = await fetch(shop.url + path, { headers: { connection: 'close' } })
  await response.arrayBuffer()
  return response.status
}

async function pids(): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['--ppid', String(shop.pid), '-o', 'pid=,args='])
  return stdout.split('\n').flatMap(line => (line.includes('built.mjs') ? [Number.parseInt(line)] : []))
}

const modeOf = async (path: string) => ((await stat(path).catch(() => null))?.mode ?? 0) & 0o777

/** Kills a process, unless it has already exited: one that is still starting does so without its folder. */
function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const scrape = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()

async function counted(): Promise<number> {
  const text = await scrape()
  const name = `piazza_request_seconds_count{route="/api${getCategories.path}"`
  return text
    .split('\n')
    .filter(line => line.startsWith(name))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

test('two processes serve one port as one shop, and the metrics are those of both', async () => {
  await expect.poll(pids).toHaveLength(2)
  expect(existsSync(join(dataDir, 'process-2'))).toBe(true)
  const customer = newcomer()
  await api.register(customer)
  const before = await counted()

  for (let count = 0; count < 20; count += 1) expect(await ask(`/api${getCategories.path}`)).toBe(200)

  await expect.poll(counted).toBe(before + 20)
  await expect(api.login(customer)).resolves.toMatchObject({ token: expect.any(String) })
})

test('only the account of the shop can give commands to its processes', async () => {
  for (const folder of [dataDir, join(dataDir, 'process-2')])
    await expect.poll(() => modeOf(socketPath(folder))).toBe(0o600)
})

test('the metrics name each process, also after it was killed and started again', async () => {
  const processes = async () =>
    Array.from((await scrape()).matchAll(/^process_resident_memory_bytes\{process="(\d+)"\}/gm), ([, name]) => name)
  await expect.poll(processes).toEqual(['1', '2'])
  const before = await pids()
  process.kill(before[1]!, 'SIGKILL')

  await expect.poll(async () => (await pids()).filter(pid => !before.includes(pid))).toHaveLength(1)
  await expect.poll(processes).toEqual(['1', '2'])
})

test('sockets connect by WebSocket alone', async () => {
  const open = (transport: 'websocket' | 'polling') => {
    const socket = io(shop.url, { path: SOCKET_PATH, transports: [transport], reconnection: false, forceNew: true })
    return new Promise(resolve => {
      socket.once('connect', () => resolve('open')).once('connect_error', () => resolve('refused'))
    }).finally(() => socket.close())
  }

  expect(await open('websocket')).toBe('open')
  expect(await open('polling')).toBe('refused')
})

test('a process that is killed is started again, while the other one serves', async () => {
  const before = await pids()
  process.kill(before[1]!, 'SIGKILL')

  await expect.poll(async () => (await pids()).filter(pid => !before.includes(pid))).toHaveLength(1)
  expect(await ask('/')).toBe(200)
})

test('a process that cannot be started is tried again', async () => {
  await expect.poll(pids).toHaveLength(2)
  const before = await pids()
  const folder = join(dataDir, 'process-2')
  await rename(folder, `${folder}-away`)
  await writeFile(folder, 'no folder')
  for (const pid of before) killIfRunning(pid)
  await expect.poll(shop.log).toContain('a process could not be started')

  await rm(folder)
  await rename(`${folder}-away`, folder)

  await expect.poll(async () => (await pids()).filter(pid => !before.includes(pid))).toHaveLength(2)
  await expect.poll(() => ask('/').catch(() => null)).toBe(200)
})

test('SIGUSR2 restarts one process after the other, and no request fails', { timeout: 300_000 }, async () => {
  await expect.poll(pids).toHaveLength(2)
  const before = await pids()
  const ending = new AbortController()
  const statuses: unknown[] = []
  // On connections of their own: one that is idle may be closed at the moment of its next request.
  const dispatcher = new Agent({ pipelining: 0 })
  const visit = async () => {
    while (!ending.signal.aborted) {
      const answering = request(`${shop.url}/api${getCategories.path}`, { dispatcher })
      statuses.push(await answering.then(({ statusCode, body }) => body.dump().then(() => statusCode), String))
    }
  }
  const visits = [visit(), visit()]

  process.kill(shop.pid, 'SIGUSR2')

  await expect
    .poll(async () => (await pids()).filter(pid => !before.includes(pid)), { timeout: 240_000 })
    .toHaveLength(2)
  ending.abort()
  await Promise.all(visits)
  expect(new Set(statuses)).toEqual(new Set([200]))
})

test('a second SIGUSR2 during a restart restarts all processes once more', { timeout: 600_000 }, async () => {
  await expect.poll(pids).toHaveLength(2)
  const newPids = async (before: number[]) => (await pids()).filter(pid => !before.includes(pid))
  const before = await pids()
  process.kill(shop.pid, 'SIGUSR2')
  await expect.poll(() => newPids(before), { timeout: 240_000 }).not.toHaveLength(0)
  const meanwhile = await pids()

  process.kill(shop.pid, 'SIGUSR2')

  await expect.poll(() => newPids(meanwhile), { timeout: 240_000 }).toHaveLength(2)
})

test('SIGTERM ends all processes without an error', async () => {
  const before = await pids()
  const code = await shop.terminate()

  expect({ code, log: shop.log() }).toMatchObject({ code: 0 })
  for (const pid of before) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})
