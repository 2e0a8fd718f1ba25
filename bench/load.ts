import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import autocannon from 'autocannon'

const CONNECTIONS = 50
const WRK_CONNECTIONS = 32
/** Without limits per address, as all requests of a benchmark come from one address. */
export const NO_LIMITS = 'api=100000000/1m,search=100000000/1m,render=100000000/1m'
/** Clock ticks per second in /proc/PID/stat: 100 on all current Linux systems. */
const TICKS = 100
/** Longer than the shop's pause in making pictures after one is requested (`quietMs` in `server/media/store.ts`). */
const REST_MS = 5000

export interface Load {
  perSecond: number
  p99Ms: number
  /** Processors that the load generator used: near 1 means that it was the bottleneck, not the server. */
  generator: number
}

const MS_BY_UNIT = { us: 0.001, ms: 1, s: 1000 }
export const hasWrk = spawnSync('wrk', ['-v'], { stdio: 'ignore' }).error === undefined

/** Requests one URL as fast as possible for this long, with wrk where it is installed. Throws if a request fails. */
export function hammer(url: string, headers: Record<string, string>, seconds: number): Promise<Load> {
  return hasWrk ? hammerWithWrk(url, headers, seconds) : hammerWithAutocannon(url, headers, seconds)
}

async function hammerWithWrk(url: string, headers: Record<string, string>, seconds: number): Promise<Load> {
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const args = ['-t1', `-c${WRK_CONNECTIONS}`, `-d${seconds}s`, '--latency', ...given, url]
  // The shell's `times` prints how much processor time wrk used.
  const { stdout } = await promisify(execFile)('sh', ['-c', 'wrk "$@"; times', 'sh', ...args])
  if (!/Requests\/sec/.test(stdout) || /Non-2xx|Socket errors/.test(stdout))
    throw new Error(`Requests for ${url} failed:\n${stdout}`)
  const [, p99 = '', unit = ''] = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? []
  const used = stdout.trim().split('\n').at(-1) ?? ''
  const cpuSeconds = [...used.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, m, s]) => sum + Number(m) * 60 + Number(s),
    0,
  )
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    p99Ms: Number(p99) * MS_BY_UNIT[unit as keyof typeof MS_BY_UNIT],
    generator: cpuSeconds / seconds,
  }
}

async function hammerWithAutocannon(url: string, headers: Record<string, string>, seconds: number): Promise<Load> {
  const before = process.cpuUsage()
  const { requests, latency, non2xx, errors } = await autocannon({
    url,
    headers,
    connections: CONNECTIONS,
    duration: seconds,
  })
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} of ${requests.total} requests for ${url} failed`)
  const { user, system } = process.cpuUsage(before)
  return { perSecond: requests.average, p99Ms: latency.p99, generator: (user + system) / 1e6 / seconds }
}

export interface Round {
  requests: number
  seconds: number
  cpuMs: number
  notRendered: number
}

/** Requests each path once, `atOnce` at a time, and counts the responses that came from the page cache. */
export async function askOnce(origin: string, paths: string[], atOnce: number, pid: number): Promise<Round> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  const queue = paths.values()
  let notRendered = 0
  const [began, cpu] = [performance.now(), cpuMsOf(pid)]
  const work = async () => {
    for (const path of queue) if ((await stateOf(origin + path, agent)) === 'HIT') notRendered += 1
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const round = { seconds: (performance.now() - began) / 1000, cpuMs: cpuMsOf(pid) - cpu }
  agent.destroy()
  return { requests: paths.length, notRendered, ...round }
}

function stateOf(url: string, agent: Agent): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const asking = get(url, { agent, headers: { 'accept-encoding': 'br' } }, response => {
      if (response.statusCode !== 200) reject(new Error(`${url} responded with ${response.statusCode}`))
      response.resume().once('end', () => resolve(response.headers['x-cache']))
    })
    asking.once('error', reject)
  })
}

/** CPU time of a process in ms, including all its threads; NaN without /proc. */
export function cpuMsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS
  } catch {
    // Not Linux.
    return Number.NaN
  }
}

/** Resolves when a process is idle: it used at most 5 % of a processor in the last five seconds. */
export async function restOf(pid: number): Promise<void> {
  for (let used = Infinity; used > REST_MS / 20;) {
    const before = cpuMsOf(pid)
    await sleep(REST_MS)
    used = cpuMsOf(pid) - before
  }
}

/** Runs `act` several times in sequence and returns the median duration in ms. */
export async function medianMs(runs: number, act: () => Promise<unknown>): Promise<number> {
  return Number(quantile(await timesOf(runs, act), 0.5).toFixed(1))
}

/** Runs `act` several times in sequence and returns the durations in ms, the shortest first. */
export async function timesOf(runs: number, act: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let at = 0; at < runs; at += 1) {
    const began = performance.now()
    await act()
    times.push(performance.now() - began)
  }
  return times.toSorted((one, other) => one - other)
}

/** The value below which this share of the sorted values lies: 0.5 for the median. NaN if there are none. */
export function quantile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Builds the shop if its sources have changed since the last build. Throws an error if the build fails. */
export function buildIfNeeded(): void {
  const root = join(import.meta.dirname, '..')
  const args = ['scripts/build.ts', '--if-needed']
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error('The build failed')
}
