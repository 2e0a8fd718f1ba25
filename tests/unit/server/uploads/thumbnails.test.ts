import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pino } from 'pino'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openThumbnails, type Thumbnails } from '#server/uploads/thumbnails.ts'
import { photograph } from '#tests/support/uploads/chat-files.ts'

const KEY = 'ab/abcdef01-0000-4000-8000-000000000000'

let root: string
let folder: string
let readCount: number
let thumbnails: Thumbnails

function open(): Thumbnails {
  const read = async (key: string) => {
    readCount += 1
    return key === KEY ? Readable.from([await photograph()]) : null
  }
  return openThumbnails({ uploads: { read }, folder, log: pino({ level: 'silent' }) })
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'piazza-thumbnails-'))
  folder = join(root, 'thumbnails')
  readCount = 0
  thumbnails = open()
})
afterEach(async () => {
  await thumbnails.close()
  await rm(root, { recursive: true })
})

test('a picture is read once for all that show its thumbnail, also after a restart', async () => {
  const [first, second] = await Promise.all([thumbnails.read(KEY), thumbnails.read(KEY)])
  await thumbnails.close()
  thumbnails = open()

  expect(await thumbnails.read(KEY)).toEqual(first)
  expect(second).toEqual(first)
  expect(await sharp(first!).metadata()).toMatchObject({ format: 'webp', width: 240, height: 240 })
  expect(readCount).toBe(1)
})

test('the daily clearing removes all thumbnails, and each is drawn again when it is asked for', async () => {
  await thumbnails.read(KEY)

  await thumbnails.clear()

  expect(await readdir(root)).toEqual([])
  expect(await thumbnails.read(KEY)).not.toBeNull()
  expect(readCount).toBe(2)
})

test('a picture that is gone has no thumbnail', async () => {
  expect(await thumbnails.read('cd/cdef0123-0000-4000-8000-000000000000')).toBeNull()
})
