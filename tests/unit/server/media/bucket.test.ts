import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { Hono } from 'hono'
import { pino } from 'pino'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openUploads } from '#server/uploads/uploads.ts'
import type { Env } from '#server/http/env.ts'
import { readRules } from '#server/http/limit-rules.ts'
import { type Limits, openLimits } from '#server/http/limits.ts'
import { mediaRoutes } from '#server/media/routes.ts'
import { type Media, openMedia } from '#server/media/store.ts'
import { UnavailableError } from '#server/platform/errors.ts'
import { secretsOf } from '#server/platform/secrets.ts'
import { freePort } from '#tests/support/ports.ts'
import { startS3 } from '#tests/support/fakes/s3.ts'
import { filesIn } from '#tests/support/uploads/uploading.ts'

let root: string
let bucket: Awaited<ReturnType<typeof startS3>>
let opened: Media[]
let limits: Limits

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'piazza-bucket-'))
  bucket = await startS3()
  opened = []
  limits = openLimits({ rules: readRules() })
})

afterEach(async () => {
  await Promise.all(opened.map(media => media.close()))
  await bucket.close()
  await rm(root, { recursive: true })
})

/** The pictures of one process. */
function processNamed(name: string, { cacheBytes = 1_000_000, s3 = bucket.s3 } = {}): Media {
  const cacheFolder = join(root, name, 'media-cache')
  const folder = join(root, name, 'media')
  const media = openMedia({ folder, bucket: { s3, cacheFolder, cacheBytes }, background: false })
  opened.push(media)
  return media
}

const photo = (background: string) =>
  sharp({ create: { width: 900, height: 600, channels: 3, background } })
    .jpeg()
    .toBuffer()

async function listed(media: Media) {
  const pictures = await Array.fromAsync(media.list(''))
  return Promise.all(
    pictures.map(async ({ hash, hasOriginal, measure }) => ({ hash, hasOriginal, ...(await measure()) })),
  )
}

function answerOf(media: Media, path: string, ip = '5.0.0.1') {
  const app = new Hono<Env>()
  app.use(async (c, next) => {
    c.set('ip', ip)
    c.set('limits', limits)
    await next()
  })
  mediaRoutes(app, media)
  app.onError(error => {
    throw error
  })
  return app.request(path)
}

describe('pictures in a bucket', () => {
  test('are served by every process, and each rendition is made once', async () => {
    const [one, other] = [processNamed('one'), processNamed('other')]
    const { hash } = await one.store(await photo('#c33'))
    const made = await one.rendition(hash, 960, 'avif')

    const answer = await answerOf(other, `/media/${hash}/960.avif`)

    expect(answer.headers.get('etag')).toBe(made?.etag)
    expect(answer.headers.get('content-type')).toBe('image/avif')
    expect(answer.headers.get('cache-control')).toContain('immutable')
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(await readFile(made!.path))
    expect(await other.has(hash)).toBe(true)
    // A rendition that the other process made would need the original.
    expect(await filesIn(join(root, 'other'))).toEqual([expect.stringContaining('960.avif')])
    expect(await readdir(join(root, 'one'))).toEqual(['media-cache'])
  })

  test('are not asked for any more by an address that has invented 300', async () => {
    const media = processNamed('one')
    const { hash } = await media.store(await photo('#c33'))
    const known = `/media/${hash}/640.webp`
    const invented = () => answerOf(media, `/media/${randomBytes(32).toString('hex')}/640.webp`)
    // Pictures that are there do not count.
    for (let count = 0; count < 301; count += 1) expect((await answerOf(media, known)).status).toBe(200)

    for (let count = 0; count < 300; count += 1) expect((await invented()).status).toBe(404)

    await expect(invented()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    expect((await answerOf(media, known, '5.0.0.2')).status).toBe(200)
  })

  test('are served from the folder as long as they are only there', async () => {
    const before = openMedia({ folder: join(root, 'one', 'media'), background: false })
    const { hash } = await before.store(await photo('#c33'))
    await before.close()

    const media = processNamed('one')

    expect(await media.has(hash)).toBe(true)
    expect((await media.rendition(hash, 640, 'webp'))?.path).toContain(join('one', 'media', hash.slice(0, 2)))
    expect(await media.rendition(hash, 1280, 'webp')).not.toBeNull()
    expect((await listed(media)).map(({ path }) => path)).toEqual([
      join(root, 'one', 'media', hash.slice(0, 2), hash.slice(2)),
      `s3://${bucket.s3.bucket}/pictures/${hash.slice(0, 2)}/${hash.slice(2)}/`,
    ])
  })

  test('are listed with the size of all their files', async () => {
    const media = processNamed('one')
    const { hash } = await media.store(await photo('#c33'))
    await media.rendition(hash, 320, 'webp')
    const other = await media.add(await photo('#3c3'))

    const found = await listed(media)

    expect(found.map(each => each.hash)).toEqual([hash, other].toSorted())
    expect(found.every(({ hasOriginal }) => hasOriginal)).toBe(true)
    expect(found.find(each => each.hash === hash)?.bytes).toBeGreaterThan((await photo('#c33')).length)
    expect(await Array.fromAsync(media.list(hash.slice(0, 3)), each => each.hash)).toEqual([hash])
  })

  test('do not exist for an unknown hash', async () => {
    const media = processNamed('one')

    expect((await answerOf(media, `/media/${'0'.repeat(64)}/640.webp`)).status).toBe(404)
    expect(await media.has('0'.repeat(64))).toBe(false)
  })

  test('stay when unused chat files are removed', async () => {
    const media = processNamed('one')
    const hash = await media.add(await photo('#c33'))
    const tomorrow = () => Date.now() + 24 * 3600_000
    const log = pino({ level: 'silent' })
    const options = { folder: join(root, 'uploads'), s3: bucket.s3, secrets: secretsOf(randomBytes(32)), log }

    expect(await openUploads({ ...options, now: tomorrow }).sweepBucket(async () => new Set(), 'a')).toBe(0)

    expect(await processNamed('other').rendition(hash, 640, 'webp')).not.toBeNull()
  })
})

describe('an unreachable bucket', () => {
  test('makes pictures unavailable, except those that the process has on its disk', async () => {
    const { hash } = await processNamed('one').store(await photo('#c33'))
    const s3 = { ...bucket.s3, endpoint: `http://127.0.0.1:${await freePort()}` }
    const [one, other] = [processNamed('one', { s3 }), processNamed('other', { s3 })]

    expect((await answerOf(one, `/media/${hash}/640.webp`)).status).toBe(200)
    for (let times = 0; times < 6; times += 1)
      await expect(answerOf(other, `/media/${hash}/640.webp`)).rejects.toBeInstanceOf(UnavailableError)
    await expect(one.store(await photo('#3c3'))).rejects.toBeInstanceOf(UnavailableError)
  })
})

test('a folder that cannot be read makes pictures unavailable', async () => {
  const folder = join(root, 'not-a-folder')
  await writeFile(folder, '')
  const media = openMedia({ folder, background: false })
  opened.push(media)

  await expect(answerOf(media, `/media/${'0'.repeat(64)}/640.webp`)).rejects.toBeInstanceOf(UnavailableError)
})

describe('the copies on disk', () => {
  test('may lack the original again before a rendition is made of it', async () => {
    const noise = sharp({
      create: { width: 900, height: 600, channels: 3, background: '#888', noise: { type: 'gaussian', sigma: 60 } },
    })
    const { hash } = await processNamed('writer').store(await noise.jpeg({ quality: 100 }).toBuffer())
    const media = processNamed('reader', { cacheBytes: 100_000 })

    expect((await answerOf(media, `/media/${hash}/160.webp`)).status).toBe(200)
  })

  test('are removed when they take too much room, first those not used for longest', async () => {
    const stored = await Promise.all(['#c33', '#3c3', '#33c'].map(async colour => photo(colour)))
    const writer = processNamed('writer')
    const hashes: string[] = []
    for (const bytes of stored) hashes.push((await writer.store(bytes)).hash)
    const [first, second, third] = hashes as [string, string, string]
    const { bytes } = (await writer.rendition(first, 640, 'webp'))!
    const media = processNamed('reader', { cacheBytes: Math.round(bytes * 2.5) })

    const copies = async () => (await filesIn(join(root, 'reader'))).filter(name => !name.includes('drafts'))
    const names = (all: string[]) => all.map(hash => expect.stringContaining(hash.slice(2)) as string)
    await media.rendition(first, 640, 'webp')
    await media.rendition(second, 640, 'webp')
    await media.rendition(first, 640, 'webp')
    await media.rendition(third, 640, 'webp')

    expect((await copies()).toSorted()).toEqual(expect.arrayContaining(names([first, third])))
    expect(await copies()).toHaveLength(2)
    expect(await media.rendition(second, 640, 'webp')).not.toBeNull()
  })

  test('of an earlier run count, too', async () => {
    const media = processNamed('one')
    const { hash } = await media.store(await photo('#c33'))
    const files = await filesIn(join(root, 'one'))
    const sizes = await Promise.all(files.map(async file => (await stat(file)).size))
    const total = sizes.reduce((sum, size) => sum + size, 0)
    await media.close()
    for (const file of files) if (file.includes('320.webp')) await utimes(file, 1, 1)

    await processNamed('one', { cacheBytes: total - 1 }).close()

    const rest = files.filter(file => !file.includes('320.webp'))
    expect(files).toHaveLength(3)
    expect((await filesIn(join(root, 'one'))).toSorted()).toEqual(rest.toSorted())
    expect(await processNamed('one').rendition(hash, 320, 'webp')).not.toBeNull()
  })
})
