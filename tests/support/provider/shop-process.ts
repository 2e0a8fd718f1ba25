import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ROOT } from '#scripts/run.mjs'

const FOLLOW_PARENT = join(ROOT, 'scripts/follow-parent.ts')
const READY_MS = 100_000
const POLL_MS = 50

/**
 * The whole built shop in a process of its own, as operators run it; resolves once it is healthy. It keeps its data when
 * it ends, so that another process can take over.
 */
export async function startShopProcess(environment: NodeJS.ProcessEnv, port: number) {
  const child = spawn(process.execPath, ['--import', FOLLOW_PARENT, 'server/main.ts'], {
    cwd: ROOT,
    env: { ...process.env, ...environment, HOST: '127.0.0.1', PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const ended = once(child, 'exit') as Promise<[number | null]>
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', text => (log = (log + text).slice(-8000)))

  const url = `http://127.0.0.1:${port}`
  for (const deadline = Date.now() + READY_MS; !(await isHealthy(url)); await pause(POLL_MS)) {
    if (child.exitCode === null && Date.now() < deadline) continue
    child.kill('SIGKILL')
    throw new Error(`The shop did not start:\n${log}`)
  }
  return {
    url,
    log: () => log,
    /** Asks the shop to end, as a service manager does. Resolves with its exit code; null when a signal ended it. */
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

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(5000) })).ok
  } catch {
    // Nothing listens yet.
    return false
  }
}
