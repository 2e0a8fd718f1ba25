import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { SHOP } from '#scripts/run.mjs'

const PROGRAM = join(import.meta.dirname, 'serve-provider.ts')
const SHIFT = join(import.meta.dirname, '../faults/shift-clock.ts')

/** A provider in its own process, configured by `environment`, with its clock ahead by `shiftMs` (negative: behind). */
export async function startProviderProcess(environment: NodeJS.ProcessEnv, { shiftMs = 0 } = {}) {
  const child = fork(PROGRAM, {
    env: { ...process.env, ...SHOP.env, NODE_ENV: 'test', ...environment, CLOCK_SHIFT_MS: String(shiftMs) },
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
    /** Kills the process, as a power cut does, and waits for its end. */
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
