import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFile,
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '#tests/support/ports.ts'

const ROOT = join(import.meta.dirname, '../..')
const COPIED = ['contract', 'scripts', 'server', 'package.json', 'package-lock.json', 'tsconfig.json', 'src']
const START_MS = 180_000
/** A fake Astro, which would take half a minute: a page with the content of `src/title`, or an error like Astro’s. */
const ASTRO = `#!/bin/sh
if grep -rq BROKEN src; then echo "src/pages/index.astro:3:1 Unexpected token" >&2; exit 1; fi
mkdir -p "$DIST_DIR/client" "$DIST_DIR/server"
cat > "$DIST_DIR/server/entry.mjs" <<END
const body = new TextEncoder().encode('$(cat src/title)')
export const render = async () => ({ status: 200, headers: [['content-type', 'text/html']], body })
END
`
let project = ''
const running = new Set<ChildProcess>()
const file = (...parts: string[]) => join(project, ...parts)

beforeAll(async () => {
  project = await realpath(await mkdtemp(join(tmpdir(), 'piazza-build-')))
  for (const name of COPIED)
    await cp(join(ROOT, name), file(name), { recursive: true, filter: path => !path.includes('demo/pictures/') })
  await mkdir(file('node_modules/.bin'), { recursive: true })
  for (const folder of ['node_modules', 'node_modules/.bin'])
    for (const name of await readdir(join(ROOT, folder)))
      if (!['.bin', '.cache', 'astro'].includes(name) || (folder === 'node_modules' && name === 'astro'))
        await symlink(join(ROOT, folder, name), file(folder, name))
  await writeFile(file('node_modules/.bin/astro'), ASTRO)
  await chmod(file('node_modules/.bin/astro'), 0o755)
})
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await rm(project, { recursive: true, force: true })
})

function run(script: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: project,
    // With a provider in another process, no database is needed here.
    env: {
      ...process.env,
      PATH: [file('node_modules/.bin'), process.env['PATH']].join(delimiter),
      DIST_DIR: '',
      DATA_DIR: file('data'),
      PROVIDER_URL: 'http://127.0.0.1:9',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (said += text))
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  return { child, ended, said: () => said }
}

/** Runs `npm start`, requests a page and stops it. */
async function start() {
  const port = String(await freePort())
  const { child, ended, said } = run('scripts/start.mjs', [], { PORT: port, HOST: '127.0.0.1' })
  let page = ''
  const isDone = async () => {
    page = await fetch(`http://127.0.0.1:${port}/`).then(
      answer => answer.text(),
      () => '',
    )
    return page !== '' || child.exitCode !== null
  }
  try {
    await expect.poll(isDone, { timeout: START_MS }).toBe(true)
    return { page, said: said() }
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

describe('npm start', () => {
  test(
    'serves the last good build while an edit is broken, and shows the error',
    { timeout: 4 * START_MS },
    async () => {
      await writeFile(file('src/title'), 'one')
      expect(await start()).toMatchObject({ page: 'one' })

      await writeFile(file('src/title'), 'BROKEN')
      const broken = await start()
      expect(broken.page).toBe('one')
      expect(broken.said).toContain('src/pages/index.astro:3:1 Unexpected token')
      expect(broken.said).toMatch(/The last good build, of 20\S+Z, stays in its place\./)
      expect(broken.said).toContain('Piazza starts with the last good build.')

      const route = file('server/http/health.ts')
      const good = await readFile(route, 'utf8')
      await writeFile(route, `${good}\nexport const = 1\n`)
      await writeFile(file('src/title'), 'two')
      const server = await start()
      expect(server.page).toBe('one')
      expect(server.said).toContain('health.ts')

      await writeFile(route, good)
      // Some copies keep the times of files, which may be older than the build.
      await utimes(file('src/title'), 0, 0)
      expect((await start()).page).toBe('two')
    },
  )

  test('serves the outdated build when a new one cannot be written', { timeout: START_MS }, async () => {
    // Simulates a read-only project, which root could still write to.
    const newest = basename(await readlink(file('dist')))
    await rename(file('.dist'), file('kept'))
    await rm(file('dist'))
    await symlink(join('kept', newest), file('dist'))
    await writeFile(file('.dist'), '')
    await writeFile(file('src/title'), 'three')
    const { page, said } = await start()

    expect(page).toBe('two')
    expect(said).toContain('The build is outdated, and a new one cannot be written: ')
    expect(said).not.toMatch(/\n +at /)
  })
})

test('npm run dev shows no unfinished pages to shoppers; npm start publishes them', { timeout: START_MS }, async () => {
  const env = { DIST_DIR: file('edited/dist') }
  const published = () => readFile(file('edited/dist-content/pages.json'), 'utf8')
  await writeFile(file('src/title'), 'four')
  expect(await run('scripts/build.ts', [], env).ended).toBe(0)
  await appendFile(file('src/content/policies/about-us.md'), '\nOf course we never\n')

  const dev = run('scripts/dev.ts', [], { ...env, PORT: String(await freePort()) })
  await expect.poll(dev.said, { timeout: START_MS }).toContain('The storefront will be at')
  dev.child.kill('SIGTERM')
  await dev.ended
  expect(await published()).not.toContain('Of course we never')

  expect(await run('scripts/build.ts', ['--if-needed'], env).ended).toBe(0)
  expect(await published()).toContain('Of course we never')
})

test('a shop with policy pages of its own keeps them in an update', { timeout: 2 * START_MS }, async () => {
  const env = { DIST_DIR: file('updated/dist') }
  const published = () => readFile(file('updated/dist-content/pages.json'), 'utf8')
  const publish = (...from: string[]) => run('scripts/built.mjs', ['market', 'content', 'publish', ...from], env).ended
  await writeFile(file('src/title'), 'five')
  expect(await run('scripts/build.ts', [], env).ended).toBe(0)
  await cp(file('src/content/policies'), file('own/policies'), { recursive: true })
  await appendFile(file('own/policies/about-us.md'), '\nWe are Ada and Bo.\n')
  expect(await publish(file('own/policies'))).toBe(0)

  await appendFile(file('server/content/site.ts'), '\n// An update\n')
  const update = run('scripts/build.ts', ['--if-needed'], env)
  expect(await update.ended).toBe(0)
  expect(update.said()).toContain(`Publishing the policy pages of ${file('own/policies')}`)
  expect(await published()).toContain('We are Ada and Bo.')

  expect(await publish()).toBe(0)
  await appendFile(file('server/content/site.ts'), '\n// Another update\n')
  expect(await run('scripts/build.ts', ['--if-needed'], env).ended).toBe(0)
  expect(await published()).not.toContain('We are Ada and Bo.')
})

test('a build without an earlier one fails on an error', { timeout: START_MS }, async () => {
  await writeFile(file('src/title'), 'BROKEN')
  const { ended, said } = run('scripts/build.ts', [], { DIST_DIR: file('elsewhere/dist') })

  expect(await ended).toBe(1)
  expect(said()).toContain('Unexpected token')
  expect(await readdir(file('elsewhere'))).toEqual(['.dist'])
  expect(await readdir(file('elsewhere/.dist'))).toEqual([])
})
