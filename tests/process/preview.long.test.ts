import { type ChildProcess, spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '#tests/support/ports.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { listen } from '#tests/support/fakes/http.ts'
import { type Provider, startProvider } from '#tests/support/provider/provider.ts'

const BAGS = '---\ncategory: Bags\nsummary: To carry things.\n---\n'

let folder: string
let url: string
let preview: ChildProcess
let provider: Provider
let server: Awaited<ReturnType<typeof listen>>

// Runs the `npm run dev` preview with a provider that has no products.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'piazza-preview-'))
  await cp(resolve('src/content'), folder, { recursive: true })
  provider = await startProvider()
  server = await listen(getRequestListener(provider.fetch, { overrideGlobalObjects: false }))
  const port = await freePort()
  // Astro serves no pages to a process that looks like a test.
  const { VITEST, NODE_ENV, ...env } = process.env
  url = `http://localhost:${port}`
  preview = spawn('astro', ['dev', '--port', String(port)], {
    env: { ...env, CONTENT_DIR: join(folder, 'policies'), PROVIDER_URL: server.url, ASTRO_TELEMETRY_DISABLED: '1' },
    stdio: 'ignore',
  })
  await vi.waitUntil(() => fetch(`${url}/@content`).catch(() => null), PATIENCE)
})

afterAll(async () => {
  preview?.kill()
  await server?.close()
  await provider?.close()
  await rm(folder, { recursive: true })
})

/** The main part of a page. */
async function show(path: string): Promise<string> {
  const response = await fetch(url + path)
  expect(response.status).toBe(200)
  return /<main[^]*<\/main>/.exec(await response.text())?.[0] ?? ''
}

/** Opens the preview as a browser does. Returns a function that says how often it was told to reload. */
async function countReloads(): Promise<() => number> {
  const [, token = ''] = /wsToken = "([^"]+)"/.exec(await (await fetch(`${url}/@vite/client`)).text()) ?? []
  const socket = new WebSocket(`${url.replace('http', 'ws')}/?token=${token}`, 'vite-hmr')
  onTestFinished(() => socket.close())
  const told: string[] = []
  socket.addEventListener('message', ({ data }) => told.push((JSON.parse(String(data)) as { type: string }).type))
  await expect.poll(() => told).toContain('connected')
  return () => told.filter(type => type === 'full-reload').length
}

test('the preview reloads when an introduction is saved', async () => {
  const reloadCount = await countReloads()
  expect(reloadCount()).toBe(0)
  await writeFile(join(folder, 'categories/bags.md'), `${BAGS}Text.\n`)

  await expect.poll(reloadCount).toBeGreaterThan(0)
})

test('the preview shows a page’s error on that page only, and recovers when it is fixed', async () => {
  const file = join(folder, 'policies/about-us.md')
  const sound = await readFile(file, 'utf8')
  expect(await show('/about-us')).toContain('A piazza is where a town meets')

  await writeFile(file, `${sound}\n![The square](square.png)\n`)
  const line = sound.split('\n').length + 1
  expect(await show('/about-us')).toContain(`about-us.md:${line}: there is no picture square.png`)
  expect(await show('/privacy-policy')).toContain('We keep what we need')
  expect(await show('/products?category=Bags')).not.toContain('square.png')

  await writeFile(file, sound)
  expect(await show('/about-us')).toContain('A piazza is where a town meets')
})

test('the preview shows an introduction as it is written', async () => {
  const text = 'Within ~~30~~ 14 days: [call us](tel:+39-055-1234), or see [returns](/return-refund-policy).'
  await writeFile(join(folder, 'categories/bags.md'), `${BAGS}${text}\n\n3. Three\n\n<details>\n\nMore\n\n</details>\n`)

  const page = await show('/products?category=Bags')
  const [, shown = ''] = /<div dir="auto" class="rich-text"[^>]*>([^]*?)<\/div>/.exec(page) ?? []
  expect(shown.replaceAll('\n', '')).toBe(
    '<p>Within <del>30</del> 14 days: <a href="tel:+39-055-1234">call us</a>, or see ' +
      '<a href="/return-refund-policy">returns</a>.</p><ol start="3"><li>Three</li></ol><details><p>More</p></details>',
  )
})

test('the preview shows the error of an introduction on the pages of categories, not on a policy page', async () => {
  const file = join(folder, 'categories/about-us.md')
  await writeFile(file, '---\ncategory: Shoes\n---\nText.\n')

  expect(await show('/products?category=Bags')).toContain('about-us.md:1: summary is missing')
  expect(await show('/about-us')).toContain('A piazza is where a town meets')

  await rm(file)
  expect(await show('/products?category=Bags')).not.toContain('about-us.md')
})
