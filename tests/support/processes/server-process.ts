import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT, SHOP } from '#scripts/run.mjs'
import { createApi } from '#lib/create-api.ts'
import { freePort } from '../ports.ts'
import { hasEnded, isHealthy } from './health.ts'

const POLL_MS = 50
const NAMESPACE = ['--pid', '--fork', '--mount-proc', '--kill-child']
const UNSHARE_COMMANDS = [
  ['unshare', ...NAMESPACE],
  ['unshare', '--user', '--map-root-user', ...NAMESPACE],
]

/** Command prefix that gives a process its own pid namespace, as a container does. Empty if that is not permitted. */
export const IN_CONTAINER =
  UNSHARE_COMMANDS.find(([program = '', ...args]) => spawnSync(program, [...args, 'true']).status === 0) ?? []

/** Like `npm start`: the built shop in its own process. `within` is a command prefix that runs it. */
export async function startServer(environment: NodeJS.ProcessEnv, within: string[] = []) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const [program = '', ...args] = [...within, process.execPath, ...SHOP.args]
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, ...SHOP.env, ...environment, HOST: '127.0.0.1', PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const isRunning = () => !hasEnded(child)
  const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]).then(([[code], , said]) => ({
    code: code as number | null,
    said,
  }))
  const signal = (name: NodeJS.Signals) => {
    if (isRunning()) process.kill(within.length > 0 ? childOf(child.pid!) : child.pid!, name)
  }
  return {
    url,
    pid: child.pid!,
    api: createApi({ origin: url, fetch: request => fetch(request) }),
    /** Resolves once the process has ended. */
    ended,
    signal,
    /** Waits until the shop is healthy or the process has ended. Returns whether it is running. */
    async opens(): Promise<boolean> {
      while (isRunning() && !(await isHealthy(url))) await sleep(POLL_MS)
      return isRunning()
    },
    async kill(): Promise<void> {
      signal('SIGKILL')
      await ended
    },
  }
}

export type Server = Awaited<ReturnType<typeof startServer>>

function childOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0])
}
