import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readEnvFile } from '#server/config.ts'
import { placesOf } from '#server/content/places.ts'
import { openBuilds } from './builds.ts'
import { compressFolder } from './compress.ts'
import { BrokenServerError, keepAsLastGood, packServer } from './pack-server.ts'
import { EARLIER_BUILD, ROOT } from './run.mjs'
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
  'scripts/builds.ts',
  'scripts/compress.ts',
  'scripts/page-styles.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]
/** Policy pages are published separately from the storefront's build. */
const CONTENT = 'src/content/'
const CONTENT_SOURCES = [CONTENT, 'src/pages', 'public', 'server/content', 'contract/policies.ts', 'package-lock.json']
const CONFIG = /^(astro|tailwind|postcss)\.config\./
const DIST = resolve(ROOT, process.env.DIST_DIR || 'dist')
const builds = openBuilds(DIST)
const isIfNeeded = process.argv.includes('--if-needed')

await inTurn('build', async () => {
  const server = await buildServer()
  // Only with a good server: a new storefront may not work with an earlier one.
  if (server.isGood && (await buildStorefront())) {
    if (server.name) keepAsLastGood(server.name)
    if (!(await publishPages())) process.exitCode = 1
    return
  }
  const since = builds.servedSince()
  if (since) console.error(`The last good build, of ${since}, stays in its place.`)
  process.exitCode = since ? EARLIER_BUILD : 1
})

async function buildServer(): Promise<{ isGood: boolean; name?: string }> {
  try {
    return { isGood: true, name: await packServer() }
  } catch (error) {
    if (error instanceof BrokenServerError) {
      console.error(`The server cannot be built:\n${error.message}`)
      return { isGood: false }
    }
    console.warn(`The shop will take longer to start, as its server could not be packed: ${(error as Error).message}`)
    return { isGood: true }
  }
}

/** Builds the storefront. Returns false if the served build does not match the sources. */
async function buildStorefront(): Promise<boolean> {
  const configs = readdirSync(ROOT).filter(name => CONFIG.test(name))
  const sources = hashOf([...SOURCES, ...configs], file => !file.startsWith(CONTENT))
  if (isIfNeeded && builds.isBuiltFrom(sources)) return true
  let build: string | null = null
  try {
    build = builds.begin(sources)
    console.log('Building the storefront (about half a minute) …')
    const isBuilt = runAstro(build)
    if (isBuilt) {
      const count = await compressFolder(join(build, 'client'))
      builds.publish(build, sources)
      console.log(`Built the storefront; compressed ${count} files.`)
      return true
    }
    console.error('The build failed; the message above says where.')
  } catch (error) {
    const state = builds.servedSince() ? 'is outdated, and a new one cannot be written' : 'cannot be written'
    console.error(`The build of the storefront ${state}: ${(error as Error).message}`)
  }
  if (build) builds.discard(build)
  return false
}

/** Publishes changed policy pages. Returns false on a failure, unless `--if-needed` can keep the old pages. */
async function publishPages(): Promise<boolean> {
  const sources = hashOf(CONTENT_SOURCES)
  const { folder, list } = placesOf(DIST)
  const stamp = join(folder, '.built')
  const isPublished = existsSync(list)
  if (isIfNeeded && isPublished && existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return true
  try {
    const { publishContent } = await import('#server/content/publish.ts')
    const { faults } = await publishContent({ distDir: DIST })
    if (faults.length === 0) {
      writeFileSync(stamp, sources)
      return true
    }
    console.error(faults.join('\n'))
  } catch (error) {
    console.error(`The policy pages cannot be published: ${(error as Error).message}`)
  }
  if (isPublished) console.error('The policy pages stay as they were last published.')
  return isIfNeeded && isPublished
}

/** Hashes contents instead of times: a checkout or copy changes the times of files. */
function hashOf(sources: string[], isCounted = (_file: string) => true): string {
  const hash = createHash('sha256')
  for (const file of sources.flatMap(filesOf).filter(isCounted).toSorted()) {
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

function runAstro(build: string): boolean {
  const { status, stdout, stderr } = spawnSync('astro', ['build'], {
    cwd: ROOT,
    env: { ...process.env, DIST_DIR: build, ASTRO_TELEMETRY_DISABLED: '1' },
    stdio: isIfNeeded ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    encoding: 'utf8',
  })
  if (status !== 0) console.error(`${stdout ?? ''}${stderr ?? ''}`)
  return status === 0
}
