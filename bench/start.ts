import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SHOP } from '#scripts/run.mjs'
import { freePort } from '#tests/support/ports.ts'
import { hasEnded } from '#tests/support/processes/health.ts'
import { cpuMsOf } from './load.ts'

const ROOT = join(import.meta.dirname, '..')
const POLL_MS = 5

interface Start {
  ms: number
  cpuMs: number
}

/** Times the shop from exec to the first page: with a new data folder, and with an existing one. */
export async function measureStarts(databaseUrl: string, rounds: number): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'piazza-start-'))
  try {
    const first = await startOnce(dataDir, databaseUrl)
    const later: Start[] = []
    for (let round = 0; round < rounds; round += 1) later.push(await startOnce(dataDir, databaseUrl))
    console.log('\nFrom exec to the first 200')
    console.table({
      'the first start, which makes the demo': format(first),
      [`later, median of ${rounds}`]: format(median(later)),
    })
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** The resident memory of a process in MB; NaN without /proc. */
export function residentMb(pid: number): number {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Math.round(Number(kilobytes) / 1024)
  } catch {
    // Not Linux.
    return Number.NaN
  }
}

async function startOnce(dataDir: string, databaseUrl: string): Promise<Start> {
  const port = await freePort()
  const place = { HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: databaseUrl }
  // Without `fatal`, the shop would log a warning, because it is stopped while it is still warming pages.
  const own = { ...place, DEMO: 'on', LOG_LEVEL: 'fatal' }
  const began = performance.now()
  const shop = spawn(process.execPath, SHOP.args, {
    cwd: ROOT,
    env: { ...process.env, ...SHOP.env, PROVIDER_URL: '', PUBLIC_URL: '', SMTP_URL: '', ...own },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  while (!(await answers(`http://127.0.0.1:${port}/`))) {
    if (hasEnded(shop)) throw new Error(`The shop ended with ${shop.exitCode ?? shop.signalCode}`)
    await sleep(POLL_MS)
  }
  const start = { ms: performance.now() - began, cpuMs: cpuMsOf(shop.pid ?? 0) }
  await end(shop)
  return start
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    // Not listening yet.
    return false
  }
}

async function end(shop: ChildProcess): Promise<void> {
  const ended = once(shop, 'exit')
  shop.kill('SIGTERM')
  await ended
}

function median(starts: Start[]): Start | undefined {
  return starts.toSorted((one, other) => one.ms - other.ms)[Math.floor(starts.length / 2)]
}

function format(start: Start | undefined) {
  return { ms: Math.round(start?.ms ?? Number.NaN), 'ms of the processors': start?.cpuMs }
}
