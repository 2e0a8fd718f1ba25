import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readEnvFile } from '#server/config.ts'
import { compressFolder } from './compress.ts'
import { packServer } from './pack-server.ts'
import { ROOT } from './run.mjs'
import { inTurn } from './turn.mjs'

readEnvFile()

const SOURCES = [
  'src',
  'contract',
  'public',
  'scripts/astro-adapter.ts',
  'scripts/astro-extras.ts',
  'scripts/astro-packages.ts',
  'scripts/astro-speed.ts',
  'scripts/build.ts',
  'scripts/compress.ts',
  'scripts/page-styles.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]
const CONFIG = /^(astro|tailwind|postcss)\.config\./
const DIST = resolve(ROOT, process.env.DIST_DIR ?? 'dist')
const STAMP = join(DIST, '.built')

await inTurn('build', async () => {
  await packServer().catch((error: Error) => {
    console.warn(`The shop will take longer to start, as its server could not be packed: ${error.message}`)
  })
  const sources = hashSources()
  if (process.argv.includes('--if-needed') && isBuiltFrom(sources)) return
  rmSync(STAMP, { force: true })
  console.log('Building the storefront (about half a minute) …')
  if (!buildStorefront()) {
    process.exitCode = 1
    return
  }
  const count = await compressFolder(join(DIST, 'client'))
  writeFileSync(STAMP, sources)
  console.log(`Built the storefront; compressed ${count} files.`)
})

function isBuiltFrom(sources: string): boolean {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources
}

/** Contents, not times: a checkout or a copy changes the times of files. */
function hashSources(): string {
  const configs = readdirSync(ROOT).filter(name => CONFIG.test(name))
  const hash = createHash('sha256')
  for (const file of [...SOURCES, ...configs].flatMap(filesOf).toSorted()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

function filesOf(source: string): string[] {
  const path = join(ROOT, source)
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [source]
  const entries = readdirSync(path, { recursive: true, withFileTypes: true })
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
}

function buildStorefront(): boolean {
  const isQuiet = process.argv.includes('--if-needed')
  const { status, stdout, stderr } = spawnSync('astro', ['build'], {
    cwd: ROOT,
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' },
    stdio: isQuiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    encoding: 'utf8',
  })
  if (status === 0) return true
  console.error(`${stdout ?? ''}${stderr ?? ''}\nThe build failed; the message above says where.`)
  return false
}
