import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pino } from 'pino'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { newRestoredId } from '#server/db/database-id.ts'
import { secretsOf } from '#server/platform/secrets.ts'
import { openBucketFiles } from '#server/uploads/file-store.ts'
import { openUploads } from '#server/uploads/uploads.ts'
import { honestFiles } from '#tests/support/uploads/chat-files.ts'
import { startS3 } from '#tests/support/fakes/s3.ts'
import { filesIn } from '#tests/support/uploads/uploading.ts'

const HOUR_MS = 3600_000
let late = 0
const folder = await mkdtemp(join(tmpdir(), 'piazza-uploads-'))
const { s3, close } = await startS3()
const options = {
  folder,
  secrets: secretsOf(randomBytes(32)),
  log: pino({ level: 'silent' }),
  now: () => Date.now() + late,
}
const uploads = openUploads({ ...options, s3 })
afterAll(() => rm(folder, { recursive: true }))

async function keep(names: string[], into = uploads) {
  const form = new FormData()
  for (const { name, content } of await honestFiles())
    if (names.includes(name)) form.append('files', new Blob([new Uint8Array(content)]), name)
  const upload = await into.receive(new Request('http://shop.test', { method: 'POST', body: form }), async () => {})
  return upload.keep('203.0.113.1').finally(upload.discard)
}

const read = async (...asked: Parameters<typeof uploads.read>) => {
  const bytes = await uploads.read(...asked)
  return bytes && buffer(bytes)
}

test('files are stored in the bucket, and none stays on the disk', async () => {
  const [photo, film, paper] = await keep(['photo.jpg', 'film.mp4', 'Rechnung für März.pdf'])
  const honest = new Map((await honestFiles()).map(({ name, content }) => [name, content]))

  expect(await filesIn(folder)).toEqual([])
  expect(await sharp((await read(photo!.key)) ?? undefined).metadata()).toMatchObject({ width: 40, height: 60 })
  expect(await read(paper!.key)).toEqual(honest.get('Rechnung für März.pdf'))
  expect(await read(film!.key, { start: 4, end: 11 })).toEqual(honest.get('film.mp4')!.subarray(4, 12))
  expect(await uploads.read(photo!.key.replace(/.$/, sign => (sign === '0' ? '1' : '0')))).toBeNull()
  expect(await uploads.read('../piazza-files/x')).toBeNull()
})

test('unreferenced files are removed from the bucket', async () => {
  const [named, removed, stray] = await keep(['film.mp4', 'film.mov', 'film.webm'])
  const sweep = () => uploads.sweepBucket(async keys => new Set(keys.filter(key => key === named!.key)), 'a')
  await uploads.remove([removed!.key])
  expect(await uploads.read(removed!.key)).toBeNull()

  expect(await sweep()).toBe(0)
  late = HOUR_MS + 60_000
  expect(await sweep()).toBeGreaterThan(0)

  expect(await uploads.read(stray!.key)).toBeNull()
  expect(await read(named!.key)).not.toBeNull()
})

test('unreferenced files stay in the bucket of another database', async () => {
  const sweepAs = (databaseId: string) => uploads.sweepBucket(async () => new Set(), databaseId)
  await sweepAs('a')
  const [film] = await keep(['film.mp4'])

  late = HOUR_MS + 60_000
  expect(await sweepAs('b')).toBe(0)
  expect(await read(film!.key)).not.toBeNull()
  expect(await sweepAs('a')).toBeGreaterThan(0)
  expect(await read(film!.key)).toBeNull()
})

test('a restored copy removes nothing from a bucket that the first shop has not claimed, and does not claim it', async () => {
  const { remove, owner } = await openBucketFiles(s3)
  await remove('piazza-owner')
  const sweepAs = (databaseId: string) => uploads.sweepBucket(async () => new Set(), databaseId)
  const [film] = await keep(['film.mp4'])

  late = HOUR_MS + 60_000
  expect(await sweepAs(newRestoredId())).toBe(0)

  expect(await owner()).toBeNull()
  expect(await read(film!.key)).not.toBeNull()
  expect(await sweepAs('a')).toBeGreaterThan(0)
})

test('a restored shop that was given the bucket removes unused files from it', async () => {
  const id = newRestoredId()
  const { claim } = await openBucketFiles(s3)
  const [film] = await keep(['film.mp4'])
  await claim(id)

  late = HOUR_MS + 60_000
  expect(await uploads.sweepBucket(async () => new Set(), id)).toBeGreaterThan(0)

  expect(await read(film!.key)).toBeNull()
})

test('files from before the bucket are read, swept and removed', async () => {
  const before = openUploads(options)
  const [named, removed, stray] = await keep(['film.mp4', 'film.mov', 'film.webm'], before)
  const film = (await honestFiles()).find(({ name }) => name === 'film.mp4')

  expect(await read(named!.key)).toEqual(film?.content)
  await uploads.remove([removed!.key])
  expect(await before.read(removed!.key)).toBeNull()
  late = HOUR_MS + 60_000
  await uploads.sweep(async keys => new Set(keys.filter(key => key === named!.key)))
  expect(await before.read(stray!.key)).toBeNull()
  expect(await filesIn(folder)).toHaveLength(1)
  await uploads.remove([named!.key])
  expect(await filesIn(folder)).toEqual([])
})

test('an unreachable bucket returns 503, and keeps nothing on the disk', async () => {
  const [film] = await keep(['film.mp4'])
  await close()

  await expect(keep(['film.mov'])).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: 'Files cannot be kept right now',
  })
  await expect(uploads.read(film!.key)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await uploads.remove([film!.key])
  expect(await filesIn(folder)).toEqual([])
})
