import { type ChildProcess, spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from '#tests/support/ports.ts'
import { PATIENCE } from '#tests/support/faults/patience.ts'

const PAGES = resolve('src/content/policies')

let folder: string
let url: string
let preview: ChildProcess

// Runs the `npm run dev` preview without a provider, so the header has no categories.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'piazza-preview-'))
  await cp(PAGES, folder, { recursive: true })
  const port = await freePort()
  // Astro serves no pages to a process that looks like a test.
  const { VITEST, NODE_ENV, ...env } = process.env
  url = `http://localhost:${port}`
  preview = spawn('astro', ['dev', '--port', String(port)], {
    env: { ...env, CONTENT_DIR: folder, PROVIDER_URL: 'http://127.0.0.1:9', ASTRO_TELEMETRY_DISABLED: '1' },
    stdio: 'ignore',
  })
  await vi.waitUntil(() => fetch(`${url}/@content`).catch(() => null), PATIENCE)
})

afterAll(async () => {
  preview.kill()
  await rm(folder, { recursive: true })
})

async function show(path: string): Promise<string> {
  const response = await fetch(url + path)
  expect(response.status).toBe(200)
  return response.text()
}

test('the preview shows a page’s error on that page only, and recovers when it is fixed', async () => {
  const file = join(folder, 'about-us.md')
  const sound = await readFile(file, 'utf8')
  expect(await show('/about-us')).toContain('A piazza is where a town meets')

  await writeFile(file, `${sound}\n![The square](square.png)\n`)
  const line = sound.split('\n').length + 1
  expect(await show('/about-us')).toContain(`about-us.md:${line}: there is no picture square.png`)
  expect(await show('/privacy-policy')).toContain('We keep what we need')

  await writeFile(file, sound)
  expect(await show('/about-us')).toContain('A piazza is where a town meets')
})
