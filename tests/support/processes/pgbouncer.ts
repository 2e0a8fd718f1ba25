import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { findOrInstall, firstThatRuns } from '../apt.ts'
import { freePort } from '../ports.ts'
import { unprivileged } from './postgres.ts'

const READY_MS = 60_000
const POLL_MS = 50

/**
 * Starts PgBouncer in transaction mode before the database of `url`, with few connections to it, so that they are
 * shared.
 */
export async function startPgBouncer(url: string): Promise<{ url: string; close(): Promise<void> }> {
  const find = () => firstThatRuns(['/usr/sbin/pgbouncer', 'pgbouncer'])
  const program = findOrInstall(find, ['pgbouncer'], 'PgBouncer was not found: install the package pgbouncer')
  const target = new URL(url)
  const port = await freePort()
  const account = unprivileged()
  const folder = mkdtempSync(join(tmpdir(), 'piazza-pgbouncer-'))
  const settings = join(folder, 'pgbouncer.ini')
  const lines = [
    '[databases]',
    `* = host=127.0.0.1 port=${target.port} user=${target.username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 3',
    'max_client_conn = 200',
  ]
  writeFileSync(settings, `${lines.join('\n')}\n`)
  if (account.uid !== undefined && account.gid !== undefined)
    for (const path of [folder, settings]) chownSync(path, account.uid, account.gid)
  const child = spawn(program, ['-q', settings], { ...account, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  let log = ''
  child.stderr.setEncoding('utf8').on('data', text => (log = (log + text).slice(-4000)))
  const pooled = Object.assign(new URL(url), { port: String(port) }).href
  for (const deadline = Date.now() + READY_MS; !(await responds(pooled)); await sleep(POLL_MS))
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`PgBouncer did not start:\n${log}`)
  return {
    url: pooled,
    async close() {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function responds(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    // Not listening yet.
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}
