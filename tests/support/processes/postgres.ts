import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { freePort } from '../ports.ts'
import { findOrInstallPostgres } from './postgres-binaries.ts'

export interface Postgres {
  /** URL of the database `postgres`, for a superuser without a password. */
  url: string
  /** Stops the server and removes its folder. */
  stop: () => Promise<void>
  /** `pg_ctl -m immediate stop`, then `start`: every connection breaks and the server recovers from its log. */
  crash: () => Promise<void>
}

interface Options {
  /** A folder with `initdb` and `postgres`; by default, the first one found. */
  bin?: string
  /** As in production: committed data survives a power loss. Off by default, for speed. */
  fsync?: boolean
}

interface Account {
  uid?: number
  gid?: number
}

/** If the cluster has a database with this name, new databases are copies of it. */
export const TEMPLATE = 'new_shop'

const READY_MS = 60_000
const POLL_MS = 50
const LOCALE = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'
const UNSAFE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** Runs the server until standard input ends (or the parent dies), then removes the folder. A line crashes it. */
const SUPERVISE = `
folder=$1; shift
"$@" &
server=$!
exec 2>/dev/null
while read -r _; do
  kill -QUIT $server
  wait $server
  "$@" &
  server=$!
done
kill -INT $server
wait $server
rm -rf "$folder"
`

/** Creates and starts a temporary cluster on a free port of 127.0.0.1. It ends with this process at the latest. */
export async function startPostgres({ bin, fsync = false }: Options = {}): Promise<Postgres> {
  const account = unprivileged()
  const folder = makeFolder(account)
  try {
    const programs = reachable(bin ?? findOrInstallPostgres(), folder, account)
    const cluster = join(folder, 'cluster')
    const trust = ['-U', 'piazza', '-A', 'trust', '-E', 'UTF8', `--locale=${LOCALE}`, '--no-sync']
    run(join(programs, 'initdb'), ['-D', cluster, ...trust], folder, account)

    const port = await freePort()
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: folder,
      max_connections: '200',
      ...(fsync ? {} : UNSAFE),
    }
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const command = [join(programs, 'postgres'), '-D', cluster, '-p', String(port), ...options]
    return await supervise(command, `postgres://piazza@127.0.0.1:${port}/postgres`, folder, account)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** Creates a database in the cluster of `url` and returns its URL: a copy of `TEMPLATE` if that exists, or empty. */
export async function createDatabase(
  url: string,
  { name = `test_${randomUUID().replaceAll('-', '')}`, isEmpty = false } = {},
): Promise<string> {
  const client = new Client(url)
  await client.connect()
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [TEMPLATE])
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${rowCount && !isEmpty ? TEMPLATE : 'template1'}`)
  await client.end()
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}

/** The account that runs the cluster: PostgreSQL does not run as root. */
export function unprivileged(): Account {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = ['-u', '-g'].map(flag => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout))
  return { uid, gid }
}

function makeFolder({ uid, gid }: Account): string {
  const parent = [tmpdir(), '/tmp', '/var/tmp'].find(path => spawnSync('test', ['-x', path], { uid, gid }).status === 0)
  const folder = mkdtempSync(join(parent ?? tmpdir(), 'piazza-postgres-'))
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  return folder
}

/** Other accounts cannot read a project in root's home. In that case, copies the programs to a readable folder. */
function reachable(bin: string, folder: string, account: Account): string {
  const { status } = spawnSync(join(bin, 'postgres'), ['--version'], { ...account, cwd: folder, stdio: 'ignore' })
  if (status === 0 || account.uid === undefined) return bin
  const copy = join(folder, 'programs')
  cpSync(dirname(bin), copy, { recursive: true, verbatimSymlinks: true })
  run('chown', ['-R', `${account.uid}:${account.gid}`, copy], folder, {})
  return join(copy, 'bin')
}

function run(program: string, args: string[], folder: string, account: Account): void {
  const { status, error, stderr } = spawnSync(program, args, { ...account, cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr}`)
}

async function supervise(command: string[], url: string, folder: string, account: Account): Promise<Postgres> {
  const server = spawn('/bin/sh', ['-c', SUPERVISE, 'sh', folder, ...command], {
    ...account,
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const ended = once(server, 'exit')
  async function stop(): Promise<void> {
    server.stdin?.end()
    await ended
  }
  try {
    await ready(url, server)
  } catch (error) {
    await stop()
    throw error
  }
  async function crash(): Promise<void> {
    const witness = new Client(url)
    witness.on('error', () => undefined)
    await witness.connect()
    const broken = new Promise(resolve => witness.once('end', resolve))
    server.stdin?.write('crash\n')
    await broken
    await ready(url)
  }
  return { url, stop, crash }
}

async function ready(url: string, server?: ChildProcess): Promise<void> {
  let log = ''
  let isOver = false
  server?.stderr?.setEncoding('utf8').on('data', text => (log = (log + text).slice(-4000)))
  server?.stderr?.on('close', () => (isOver = true))
  for (const deadline = Date.now() + READY_MS; ; await sleep(POLL_MS)) {
    if (isOver || Date.now() > deadline) throw new Error(`PostgreSQL did not start:\n${log}`)
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 })
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      // Not ready yet; the loop gives up at the deadline.
    }
  }
}
