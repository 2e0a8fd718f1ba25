import { mkdir, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { linkSharedMedia } from '#server/media/shared-folder.ts'

let folder: string
let own: string
let shared: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'piazza-media-'))
  own = join(folder, 'media')
  shared = join(folder, 'shared')
  await mkdir(shared)
  await writeFile(join(shared, 'picture'), 'seen')
})
afterEach(() => rm(folder, { recursive: true }))

test('a process sees the pictures of the shared folder, also after a restart', async () => {
  await mkdir(join(own, 'drafts'), { recursive: true })

  linkSharedMedia(own, shared)
  linkSharedMedia(own, shared)

  expect(await readFile(join(own, 'picture'), 'utf8')).toBe('seen')
})

test('another shared folder replaces the first one', async () => {
  const other = join(folder, 'other')
  await mkdir(other)
  linkSharedMedia(own, shared)

  linkSharedMedia(own, other)

  expect(await readlink(own)).toBe(other)
})

test('pictures of a process are not hidden by a shared folder', async () => {
  await mkdir(join(own, 'ab'), { recursive: true })

  expect(() => linkSharedMedia(own, shared)).toThrow(`There are pictures in ${own}: move them`)
})

test('a shared folder that is not mounted is reported', () => {
  expect(() => linkSharedMedia(own, join(folder, 'none'))).toThrow('is it mounted?')
})
