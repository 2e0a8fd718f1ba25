import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from '#scripts/run.mjs'
import { findOrInstall, firstThatRuns } from '../apt.ts'
import { freePort } from '../ports.ts'

const SAMPLE = join(ROOT, 'deploy/nginx.conf')
const READY_MS = 60_000
const POLL_MS = 50
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

export interface Nginx {
  url: string
  /** Its error log, without refused connections: it repeats those requests at another process. */
  errors(): string
  close(): Promise<void>
}

/** Starts nginx with `deploy/nginx.conf` before the processes of the shop at these ports, without TLS. */
export async function startNginx(ports: number[]): Promise<Nginx> {
  const find = () => firstThatRuns(['/usr/sbin/nginx', 'nginx'], '-v')
  const program = findOrInstall(find, ['nginx-light'], 'nginx was not found: install it')
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'piazza-nginx-'))
  mkdirSync(join(folder, 'cache'))
  const settings = join(folder, 'nginx.conf')
  writeFileSync(settings, whole(port, ports, folder))
  const child = spawn(program, ['-p', folder, '-c', settings, '-e', join(folder, 'error.log')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  let log = ''
  child.stderr.setEncoding('utf8').on('data', text => (log = (log + text).slice(-4000)))
  const url = `http://127.0.0.1:${port}`
  for (const deadline = Date.now() + READY_MS; !(await responds(url)); await sleep(POLL_MS)) {
    if (child.exitCode === null && Date.now() < deadline) continue
    child.kill('SIGKILL')
    throw new Error(`nginx did not start:\n${log}`)
  }
  return {
    url,
    errors() {
      const lines = readFileSync(join(folder, 'error.log'), 'utf8').split('\n')
      return lines.filter(line => !line.includes('Connection refused')).join('\n')
    },
    async close() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The sample is what Debian includes within `http`: here is the rest, with addresses and folders of its own. */
function whole(port: number, ports: number[], folder: string): string {
  const sample = readFileSync(SAMPLE, 'utf8')
    .replaceAll(/^ *server .*:4322 .*\n/gm, '')
    .replaceAll(/^ *server .*:4321 .*$/gm, line => ports.map(each => line.replace('4321', String(each))).join('\n'))
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replaceAll(/^ *ssl_.*$/gm, '')
    .replace('/var/cache/nginx/shop', join(folder, 'cache'))
  const temporary = TEMPORARY.map(name => `${name}_temp_path ${join(folder, name)};`).join('\n')
  const user = process.getuid?.() === 0 ? 'user root;\n' : ''
  return `${user}daemon off;\npid ${join(folder, 'pid')};\nevents { worker_connections 1024; }\nhttp {\naccess_log off;\n${temporary}\n${sample}\n}\n`
}

async function responds(url: string): Promise<boolean> {
  try {
    await fetch(`${url}/api/health/live`, { signal: AbortSignal.timeout(2000) })
    return true
  } catch {
    // Not listening yet.
    return false
  }
}
