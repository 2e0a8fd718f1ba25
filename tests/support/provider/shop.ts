import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT, SHOP } from '#scripts/run.mjs'
import { freePort } from '../ports.ts'
import { hasEnded, isHealthy } from '../processes/health.ts'
import { plantKey } from './shop-keys.ts'
import { layInto } from './snapshot.ts'

export interface RunningShop {
  url: string
  dataDir: string
  pid: number
  /** The end of its log. */
  log: () => string
  /** Stops the shop with SIGTERM, removes its data and returns its exit code. */
  stop: () => Promise<number | null>
}

const FOLLOW_PARENT = join(ROOT, 'scripts/follow-parent.mjs')
/** A developer's .env or shell may name a real database: empty variables override it. */
export const OWN = {
  HOST: '127.0.0.1',
  DEMO: 'on',
  DATABASE_URL: '',
  PROVIDER_URL: '',
  PUBLIC_URL: '',
  SMTP_URL: '',
  // All tests come from one address and are faster than people.
  LIMITS: ['register', 'loginPerIp', 'logins', 'forgotPerIp', 'reset', 'search', 'render', 'ordersPerDayPerIp', 'api']
    .map(name => `${name}=100000/1m`)
    .join(','),
}
/** Skips the optimising WebAssembly compiler: a small shop ends before optimised code for its database pays off. */
export const SHORT_LIVED = ['--liftoff-only']
/** Long, because a busy machine is slow: it only ends waits for what never happens. */
const READY_MS = 170_000
const CLOSE_MS = 15_000
const POLL_MS = 100

/** Starts the built shop on a free port with its own or a given `dataDir`. It ends with this process at the latest. */
export async function startShop(
  env: Record<string, string> = {},
  given: { dataDir?: string; flags?: string[] } = {},
): Promise<RunningShop> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const dataDir = given.dataDir ?? (await mkdtemp(join(tmpdir(), 'piazza-shop-')))
  const { SNAPSHOT } = process.env
  if (SNAPSHOT && !given.dataDir && !env.DATABASE_URL) await layInto(join(dataDir, 'db'), SNAPSHOT)
  await plantKey(dataDir)
  const program = spawn(process.execPath, [...(given.flags ?? []), '--import', FOLLOW_PARENT, ...SHOP.args], {
    cwd: ROOT,
    env: { ...process.env, ...SHOP.env, ...OWN, PORT: String(port), DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const ended = once(program, 'exit') as Promise<[number | null]>
  let log = ''
  for (const stream of [program.stdout, program.stderr]) {
    stream?.setEncoding('utf8').on('data', text => (log = (log + text).slice(-8000)))
  }

  async function stop(): Promise<number | null> {
    const timer = setTimeout(() => program.kill('SIGKILL'), CLOSE_MS)
    program.kill('SIGTERM')
    const [code] = await ended
    clearTimeout(timer)
    await rm(dataDir, { recursive: true, force: true })
    return code
  }

  process.env[dataDirKey(url)] = dataDir
  const deadline = Date.now() + READY_MS
  // A shop that could not listen ends, and another program may answer at its address.
  for (; !(await isHealthy(url)) || hasEnded(program); await sleep(POLL_MS)) {
    if (!hasEnded(program) && Date.now() < deadline) continue
    const { exitCode, signalCode } = program
    await stop()
    throw new Error(`The shop did not start (${signalCode ?? `exit code ${exitCode}`}):\n${log}`)
  }
  return { url, dataDir, pid: program.pid ?? 0, log: () => log, stop }
}

/** The data folder of a shop started by this run, by its URL; undefined for any other shop. */
export function dataDirOf(url: string): string | undefined {
  return process.env[dataDirKey(url)]
}

/** Environment variables pass the folder from the process that starts the shops to the workers. */
function dataDirKey(url: string): string {
  return `SHOP_DATA_${new URL(url).port}`
}
