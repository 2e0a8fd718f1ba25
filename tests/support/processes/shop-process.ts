import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT, SHOP } from '#scripts/run.mjs'
import { hasEnded, isHealthy } from './health.ts'

const FOLLOW_PARENT = join(ROOT, 'scripts/follow-parent.mjs')
/** Long, because a busy machine is slow: it only ends waits for what never happens. */
const READY_MS = 170_000
const POLL_MS = 50

/**
 * The built shop in its own process, as operators run it. Resolves once it is healthy. Its data stays when it ends, so
 * that another process can take over.
 */
export async function startShopProcess(environment: NodeJS.ProcessEnv, port: number) {
  const child = spawn(process.execPath, ['--import', FOLLOW_PARENT, ...SHOP.args], {
    cwd: ROOT,
    env: { ...process.env, ...SHOP.env, ...environment, HOST: '127.0.0.1', PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const ended = once(child, 'exit') as Promise<[number | null]>
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', text => (log = (log + text).slice(-8000)))

  const url = `http://127.0.0.1:${port}`
  for (const deadline = Date.now() + READY_MS; !(await isHealthy(url)); await sleep(POLL_MS)) {
    if (!hasEnded(child) && Date.now() < deadline) continue
    const { exitCode, signalCode } = child
    child.kill('SIGKILL')
    throw new Error(`The shop did not start (${signalCode ?? `exit code ${exitCode}`}):\n${log}`)
  }
  return {
    url,
    pid: child.pid!,
    log: () => log,
    /** Sends SIGTERM, as a service manager does. Resolves with the exit code, or null if a signal ended the process. */
    async terminate(): Promise<number | null> {
      child.kill('SIGTERM')
      const [code] = await ended
      return code
    },
    async kill(): Promise<void> {
      child.kill('SIGKILL')
      await ended
    },
  }
}
