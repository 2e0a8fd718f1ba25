import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readEnvFile } from '#server/config.ts'
import { contentPaths } from '#server/content/paths.ts'
import { CONTENT, CONTENT_SOURCES, openBuilds } from './builds.ts'
import { bundleServer } from './bundle-server.ts'
import { compressFolder } from './compress.ts'
import { EARLIER_BUILD, ROOT } from './run.mjs'
import { inTurn } from './turn.mjs'

readEnvFile()

const SOURCES = ['contract', 'public', 'scripts', 'server', 'src', 'package.json', 'package-lock.json', 'tsconfig.json']
const CONFIG = /^(astro|tailwind|postcss)\.config\./
const DIST = resolve(ROOT, process.env.DIST_DIR || 'dist')
const builds = openBuilds(DIST)
const isIfNeeded = process.argv.includes('--if-needed')
/** For development: a shop that runs from this checkout, too, keeps its policy pages while they are being edited. */
const isKeepingPages = process.argv.includes('--keep-pages')

await inTurn('build', async () => {
  if (await buildShop()) {
    if (!(await publishPages())) process.exitCode = 1
    return
  }
  const since = builds.servedSince()
  if (since) console.error(`The last good build, of ${since}, stays in its place.`)
  process.exitCode = since ? EARLIER_BUILD : 1
})

/** Builds the storefront and the server, unless `--if-needed` finds a build of these sources. Returns false if that fails. */
async function buildShop(): Promise<boolean> {
  const configs = readdirSync(ROOT).filter(name => CONFIG.test(name))
  const sources = stateOf([...SOURCES, ...configs], file => !file.startsWith(CONTENT))
  if (isIfNeeded && builds.isBuiltFrom(sources)) return true
  let build: string | null = null
  try {
    build = builds.begin()
    console.log('Building the shop (about half a minute) …')
    if (runAstro(build) && (await runBundler(build))) {
      const count = await compressFolder(join(build, 'client'))
      builds.publish(build, sources)
      console.log(`Built the shop; compressed ${count} files.`)
      return true
    }
    console.error('The build failed; the message above says where.')
  } catch (error) {
    const state = builds.servedSince() ? 'is outdated, and a new one cannot be written' : 'cannot be written'
    console.error(`The build ${state}: ${(error as Error).message}`)
  }
  if (build) builds.discard(build)
  return false
}

/** Publishes changed policy pages. Returns false on a failure, unless `--if-needed` can keep the old pages. */
async function publishPages(): Promise<boolean> {
  const sources = stateOf(CONTENT_SOURCES)
  const { folder, list, origin } = contentPaths(DIST)
  const stamp = join(folder, '.built')
  const isPublished = existsSync(list)
  if (isKeepingPages && isPublished) return true
  if (isIfNeeded && isPublished && existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return true
  try {
    const { publishContent } = await import('#server/content/publish.ts')
    const from = existsSync(origin) ? readFileSync(origin, 'utf8') : undefined
    if (from) console.log(`Publishing the policy pages of ${from}`)
    const { mistakes } = await publishContent({ from, distDir: DIST })
    if (mistakes.length === 0) {
      writeFileSync(stamp, sources)
      return true
    }
    console.error(mistakes.join('\n'))
  } catch (error) {
    console.error(`The policy pages cannot be published: ${(error as Error).message}`)
  }
  if (isPublished) console.error('The policy pages stay as they were last published.')
  return isIfNeeded && isPublished
}

/**
 * The sources with their sizes and times. The newest time alone would not do, because copied files can be older than
 * the build. Times are in seconds, because archives store no fractions.
 */
function stateOf(sources: string[], isCounted = (_file: string) => true): string {
  const files = sources.flatMap(filesOf).filter(isCounted).toSorted()
  const lines = files.map(file => {
    const { size, mtimeMs } = statSync(join(ROOT, file))
    return `${file} ${size} ${Math.floor(mtimeMs / 1000)}`
  })
  return lines.join('\n')
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

async function runBundler(build: string): Promise<boolean> {
  try {
    await bundleServer(join(realpathSync(build), 'shop'))
    return true
  } catch (error) {
    console.error((error as Error).message)
    return false
  }
}
