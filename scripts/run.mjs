import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..')
export const NODE = join(ROOT, 'node_modules/.bin/node')

/** The exit code of a build that failed while an earlier one is still there. */
export const EARLIER_BUILD = 3

/** How the shop is started. */
export const SHOP = {
  // A small nursery, whole from the start: a large import would else let the process grow by what it has long read.
  flags: ['--min-semi-space-size=8', '--max-semi-space-size=8'],
  env: {
    // In glibc, each thread would else keep memory of its own that nobody else may use.
    MALLOC_ARENA_MAX: '1',
    // Its default, but said: it would else rise with the first large block, and what pages leave would stay here.
    MALLOC_TRIM_THRESHOLD_: String(128 * 1024),
    // The place of server/platform/loading.ts, for the few files that are loaded before it.
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/piazza-compiled'),
  },
}

const FORWARDED = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/**
 * Runs a command in the project with this terminal, hands on the signals it gets, and answers its exit code.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, options) {
  const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', ...options })
  /** @param {NodeJS.Signals} signal */
  const forward = signal => void child.kill(signal)
  for (const signal of FORWARDED) process.on(signal, forward)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      for (const name of FORWARDED) process.off(name, forward)
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM'])
    })
  })
}

/**
 * Runs a program of ours on the project's own Node, which the system's may be too old for.
 * It ends when this process does, even by kill -9.
 * @param {string[]} args
 * @param {Record<string, string>} [more] of its environment
 * @returns {Promise<number>}
 */
export function runNode(args, more) {
  const PATH = [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  return run(NODE, ['--import', './scripts/follow-parent.ts', ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, PATH, ...more },
  })
}
