import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readEnvFile } from '#server/config.ts'
import { ROOT } from './run.mjs'

readEnvFile()

const STOREFRONT_PORT = process.env.PORT ?? '4321'
const PROVIDER_PORT = String(Number(STOREFRONT_PORT) + 1)
const PROVIDER_URL = `http://127.0.0.1:${PROVIDER_PORT}`
// Links in mails lead to the development server.
const PUBLIC_URL = process.env.PUBLIC_URL || `http://localhost:${STOREFRONT_PORT}`

// The provider's process also serves the last build, so one must exist.
spawnSync(process.execPath, ['scripts/build.ts', '--if-needed', '--keep-pages'], { cwd: ROOT, stdio: 'inherit' })

// The provider restarts when one of its files changes; Vite forwards /api, /media and /socket.io to it.
const children = [
  start(['--watch', '--watch-preserve-output', 'server/main.ts'], {
    PORT: PROVIDER_PORT,
    PUBLIC_URL,
    PROVIDER_URL: '',
  }),
  start(['node_modules/astro/bin/astro.mjs', 'dev', '--port', STOREFRONT_PORT], { PROVIDER_URL }),
]
console.log(`The storefront will be at http://localhost:${STOREFRONT_PORT}, its provider at ${PROVIDER_URL}.`)

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal))
for (const child of children) {
  child.on('exit', code => {
    process.exitCode ||= code ?? 0
    stop('SIGTERM')
  })
}

function start(args: string[], env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, ['--import', './scripts/follow-parent.mjs', ...args], {
    cwd: ROOT,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', ...env },
  })
}

function stop(signal: NodeJS.Signals): void {
  for (const child of children) child.kill(signal)
}
