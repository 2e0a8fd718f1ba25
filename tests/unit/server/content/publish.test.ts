import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Introduction } from '#contract/policies.ts'
import { POLICIES } from '#server/content/compile.ts'
import { contentPaths } from '#server/content/paths.ts'
import { publishContent } from '#server/content/publish.ts'

let root: string
let from: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'piazza-publish-'))
  from = join(root, 'own/policies')
  await cp(POLICIES, from, { recursive: true })
})

afterEach(() => rm(root, { recursive: true }))

async function introducedCategories(): Promise<string[]> {
  const distDir = join(root, 'dist')
  expect(await publishContent({ from, distDir })).toMatchObject({ mistakes: [] })
  const { introductions } = JSON.parse(await readFile(contentPaths(distDir).list, 'utf8')) as {
    introductions: Introduction[]
  }
  return introductions.map(({ category }) => category)
}

test('pages of another folder are published with the shop’s introductions of categories', async () => {
  expect(await introducedCategories()).toContain('Bags')
})

test('pages of another folder are published with the introductions beside it', async () => {
  await mkdir(join(root, 'own/categories'))
  await cp(join(POLICIES, '../categories/audio.md'), join(root, 'own/categories/audio.md'))

  expect(await introducedCategories()).toEqual(['Audio'])
})
