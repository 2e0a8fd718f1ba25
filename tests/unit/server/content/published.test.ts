import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { placesOf } from '#server/content/places.ts'
import { openContent } from '#server/content/published.ts'

const log = { info: vi.fn<() => void>(), error: vi.fn<() => void>() }
const onChange = vi.fn<() => void>()

let root: string
let places: ReturnType<typeof placesOf>
let content: ReturnType<typeof openContent>

beforeEach(async () => {
  vi.clearAllMocks()
  root = await mkdtemp(join(tmpdir(), 'piazza-published-'))
  places = placesOf(join(root, 'dist'))
  await mkdir(places.files, { recursive: true })
  await publish('Old')
  content = openContent({ distDir: join(root, 'dist'), headers: [], log, onChange })
})

afterEach(async () => {
  content.close()
  await rm(root, { recursive: true })
})

async function publish(title: string): Promise<void> {
  const policy = { id: 'terms', title, description: '', updated: '2025-06-30', footer: 'none', order: 1, html: '' }
  await writeFile(`${places.list}.new`, JSON.stringify({ policies: [policy], introductions: [] }))
  await rename(`${places.list}.new`, places.list)
}

const titles = () => content.published().policies.map(({ title }) => title)

test('newly published pages replace the old ones', async () => {
  await publish('New')

  await expect.poll(titles).toEqual(['New'])
  expect(onChange).toHaveBeenCalledTimes(1)
  expect(log.error).not.toHaveBeenCalled()
})

test('pages that cannot be loaded at once are shown as soon as they can', async () => {
  const [client, away] = [join(places.folder, 'client'), join(places.folder, 'away')]
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
