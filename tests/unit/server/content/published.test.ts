import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { contentPaths } from '#server/content/paths.ts'
import { openContent } from '#server/content/published.ts'

const log = { info: vi.fn<() => void>(), error: vi.fn<() => void>() }
const onChange = vi.fn<() => void>()

let root: string
let paths: ReturnType<typeof contentPaths>
let content: ReturnType<typeof openContent>

beforeEach(async () => {
  vi.clearAllMocks()
  root = await mkdtemp(join(tmpdir(), 'piazza-published-'))
  paths = contentPaths(join(root, 'dist'))
  await mkdir(paths.files, { recursive: true })
  await publish('Old')
  content = openContent({ distDir: join(root, 'dist'), headers: [], log, onChange })
})

afterEach(async () => {
  content.close()
  await rm(root, { recursive: true })
})

async function publish(title: string): Promise<void> {
  const policy = { id: 'terms', title, description: '', updated: '2025-06-30', footer: 'none', order: 1, html: '' }
  await writeFile(`${paths.list}.new`, JSON.stringify({ policies: [policy], introductions: [] }))
  await rename(`${paths.list}.new`, paths.list)
}

const titles = () => content.published().policies.map(({ title }) => title)

test('newly published pages replace the old ones', async () => {
  await publish('New')

  await expect.poll(titles).toEqual(['New'])
  expect(onChange).toHaveBeenCalledTimes(1)
  expect(log.error).not.toHaveBeenCalled()
})

test('pages that cannot be loaded at once are shown as soon as they can', async () => {
  const [client, away] = [join(paths.folder, 'client'), join(paths.folder, 'away')]
  await rename(client, away)
  await publish('New')

  await expect.poll(() => log.error.mock.calls).toHaveLength(1)
  expect(titles()).toEqual(['Old'])
  expect(onChange).not.toHaveBeenCalled()
  await rename(away, client)

  await expect.poll(titles).toEqual(['New'])
  expect(onChange).toHaveBeenCalledTimes(1)
  expect(log.error).toHaveBeenCalledTimes(1)
})
