import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..')
export const NODE = join(ROOT, 'node_modules/.bin/node')

/** Higher exit codes mean that a signal ended the run. */
export const SIGNALLED = 128

/** The exit code of a build that failed while an earlier build exists. */
export const EARLIER_BUILD = 3

/** Node's arguments and environment variables for the shop. */
export const SHOP = {
  args: [
    // A small young generation of fixed size: otherwise it grows during a large import, and so does the process.
    '--min-semi-space-size=8',
    '--max-semi-space-size=8',
    // Otherwise V8 soon allocates requests and responses, which are short-lived, as old: 100 MB of garbage.
    '--no-allocation-site-pretenuring',
    'scripts/built.mjs',
    'shop',
  ],
  env: {
    // Otherwise glibc gives each thread its own memory, which other threads cannot use.
    MALLOC_ARENA_MAX: '1',
    // glibc's default, set explicitly: otherwise it rises with the first large block, and freed memory is not returned.
    MALLOC_TRIM_THRESHOLD_: String(128 * 1024),
    // In node_modules, so that compiled code is deleted when the packages are installed again.
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/piazza-compiled'),
  },
}

const FORWARDED = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'])

/**
 * Runs a command in the project folder in this terminal, forwards signals to it and resolves with its exit code.
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
      resolve(code ?? SIGNALLED + constants.signals[signal ?? 'SIGTERM'])
    })
  })
}

/**
 * Runs one of the project's programs with the project's own Node, because the system's Node may be too old.
 * The program ends when this process does, even by kill -9.
 * @param {string[]} args
 * @param {Record<string, string>} [more] additional environment variables
 * @returns {Promise<number>}
 */
export function runNode(args, more) {
  const PATH = [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  return run(NODE, ['--import', './scripts/follow-parent.mjs', ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, PATH, ...more },
  })
}
