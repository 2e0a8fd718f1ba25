import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const PROGRAM = join(import.meta.dirname, 'serve-provider.ts')
const SHIFT = join(import.meta.dirname, '../faults/shift-clock.ts')

/** A provider in a process of its own, configured by `environment`, whose clock runs `shiftMs` late (or early). */
export async function startProviderProcess(environment: NodeJS.ProcessEnv, { shiftMs = 0 } = {}) {
  const child = fork(PROGRAM, {
    env: { ...process.env, NODE_ENV: 'test', ...environment, CLOCK_SHIFT_MS: String(shiftMs) },
    execArgv: shiftMs ? ['--import', SHIFT] : [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const [port] = (await Promise.race([
    once(child, 'message'),
    ended.then(([code]) => Promise.reject(new Error(`The provider ended with ${code} before it answered.`))),
  ])) as [number]
  return {
    url: `http://127.0.0.1:${port}`,
    /** Ends the process as a power cut does, and waits for that. */
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
