import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync, crc32 } from 'node:zlib'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Media, openMedia } from '#server/media/store.ts'

let folder: string
let media: Media

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'piazza-media-'))
  media = openMedia({ folder, background: false })
})

afterEach(async () => {
  await media.close()
  await rm(folder, { recursive: true })
})

const plain = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#c33' } })
const notStored = { code: 'INVALID_INPUT', message: expect.stringMatching(/^Not a picture: /) as string }

async function filesIn(place: string): Promise<string[]> {
  const entries = await readdir(place, { recursive: true, withFileTypes: true })
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
}

async function sizeOfRendition(hash: string, width: number, format: string) {
  const rendition = await media.rendition(hash, width, format)
  const { width: wide, height: high, format: kind, exif, bitsPerSample: bits } = await sharp(rendition?.path).metadata()
  return { wide, high, kind, exif, bits }
}

/** Counts sharp’s jobs from now on; the queue emits `change` at the start and the end of each job. */
function watchJobs() {
  let changes = 0
  let mostTogether = 0
  sharp.queue.on('change', () => {
    changes++
    // A job that starts between the two reads counts in both.
    mostTogether = Math.max(mostTogether, Math.min(jobsNow(), jobsNow()))
  })
  return () => {
    sharp.queue.removeAllListeners('change')
    return { begun: changes / 2, mostTogether }
  }
}

function jobsNow(): number {
  const { process, queue } = sharp.counters()
  return process + queue
}

/** A PNG whose header claims more pixels than its data contains. */
function pngThatClaims(width: number, height: number): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const chunk = (type: string, content: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), content])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(content.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const pixels = chunk('IDAT', deflateSync(Buffer.alloc(100_000)))
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', header), pixels, chunk('IEND', Buffer.alloc(0))])
}

describe('storing a picture', () => {
  test.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)('accepts %s and names it by its content', async format => {
    const bytes = await plain(900, 600).toFormat(format).toBuffer()

    const picture = await media.store(bytes)

    expect(picture).toEqual({ hash: createHash('sha256').update(bytes).digest('hex'), width: 900, height: 600 })
    expect(await media.has(picture.hash)).toBe(true)
  })

  test('creates WebP 320 and 640 at once, readable by the owner only', async () => {
    const { hash } = await media.store(await plain(900, 600).jpeg().toBuffer())

    const place = join(folder, hash.slice(0, 2), hash.slice(2))
    expect((await readdir(place)).toSorted()).toEqual(['320.webp', '640.webp', 'original'])
    for (const file of await filesIn(folder)) expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  test('skips bytes that are already stored', async () => {
    const bytes = await plain(900, 600).jpeg().toBuffer()
    const [first, meanwhile] = await Promise.all([media.store(bytes), media.store(bytes)])
    const files = await filesIn(folder)
    for (const file of files) await utimes(file, 1, 1)

    const again = await media.store(bytes)

    expect(meanwhile).toEqual(first)
    expect(again).toEqual(first)
    expect(await filesIn(folder)).toEqual(files)
    for (const file of files) expect((await stat(file)).mtimeMs).toBe(1000)
  })

  test('rotates a photo by its EXIF orientation and removes its EXIF data', async () => {
    const bytes = await plain(900, 600)
      .withExif({ IFD0: { Copyright: 'Ada' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()

    const { hash, width, height } = await media.store(bytes)

    expect({ width, height }).toEqual({ width: 600, height: 900 })
    const upright = { wide: 320, high: 480, kind: 'webp', exif: undefined }
    expect(await sizeOfRendition(hash, 320, 'webp')).toEqual(upright)
  })

  test.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['text', 'a picture, honestly'],
    ['nothing', ''],
  ])('rejects %s', async (_kind, text) => {
    await expect(media.store(Buffer.from(text))).rejects.toMatchObject(notStored)
    expect(await filesIn(folder)).toEqual([])
  })

  test('disables sharp’s other parsers', async () => {
    const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')

    await expect(sharp(drawing).metadata()).rejects.toThrow('unsupported image format')
  })

  test('rejects a TIFF', async () => {
    const bytes = await plain(9, 9).tiff().toBuffer()

    await expect(media.store(bytes)).rejects.toMatchObject(notStored)
  })

  test('rejects a small file that decodes to a huge picture', async () => {
    const refusal = { code: 'INVALID_INPUT', message: 'Not a picture: more than 40 megapixels' }

    await expect(media.store(pngThatClaims(30_000, 30_000))).rejects.toMatchObject(refusal)
    expect(await filesIn(folder)).toEqual([])
  })

  test('rejects a truncated file and keeps nothing of it', async () => {
    const whole = await sharp({ create: { width: 900, height: 900, channels: 3, background: '#c33' } })
      .composite([{ input: await plain(300, 300).negate().png().toBuffer() }])
      .png()
      .toBuffer()
    const cut = whole.subarray(0, whole.length / 2)

    const damaged = { code: 'INVALID_INPUT', message: 'Not a picture: the file is damaged' }
    await expect(media.store(cut)).rejects.toMatchObject(damaged)
    expect(await filesIn(folder)).toEqual([])
  })
})

describe('renditions', () => {
  test('are created on request and kept', async () => {
    const { hash } = await media.store(await plain(2000, 1000).jpeg().toBuffer())

    const rendition = await media.rendition(hash, 960, 'avif')

    // With 8 bits, soft grounds show blocks.
    expect(await sizeOfRendition(hash, 960, 'avif')).toMatchObject({ wide: 960, high: 480, kind: 'heif', bits: 10 })
    expect(rendition?.bytes).toBe((await readFile(rendition?.path ?? '')).length)
    expect(await media.rendition(hash, 960, 'avif')).toEqual(rendition)
  })

  test('are created once for concurrent requests', async () => {
    const { hash } = await media.store(await plain(2000, 1000).jpeg().toBuffer())
    const jobs = watchJobs()

    const asked = await Promise.all(Array.from({ length: 20 }, () => media.rendition(hash, 1280, 'webp')))

    expect(new Set(asked.map(rendition => rendition?.etag)).size).toBe(1)
    expect(jobs()).toEqual({ begun: 1, mostTogether: 1 })
  })

  test('are created two at a time at most', async () => {
    const { hash } = await media.store(await plain(2000, 1000).jpeg().toBuffer())
    const jobs = watchJobs()

    await Promise.all(
      [160, 960, 1280].flatMap(width => ['webp', 'avif'].map(each => media.rendition(hash, width, each))),
    )

    expect(jobs()).toEqual({ begun: 6, mostTogether: 2 })
  })

  test('are rejected with 503 while too many wait, and created afterwards', async () => {
    const bytes = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        plain(4 + index, 4)
          .png()
          .toBuffer(),
      ),
    )
    const pictures = await Promise.all(bytes.map(each => media.store(each)))
    const wanted = pictures.flatMap(({ hash }) => [160, 320, 640, 960, 1280].map(width => [hash, width] as const))

    const asked = ['avif', 'webp'].flatMap(format => wanted.map(each => media.rendition(...each, format)))
    const answers = await Promise.allSettled(asked)

    const refused = answers.filter(answer => answer.status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'UNAVAILABLE' })
    expect(answers.length - refused.length).toBeGreaterThan(200)
    for (const each of wanted.slice(-5)) expect(await media.rendition(...each, 'webp')).not.toBeNull()
  })

  test('are never larger than the original', async () => {
    const { hash } = await media.store(await plain(200, 100).png().toBuffer())

    expect(await sizeOfRendition(hash, 1280, 'webp')).toMatchObject({ wide: 200, high: 100 })
    expect(await sizeOfRendition(hash, 160, 'webp')).toMatchObject({ wide: 160, high: 80 })
  })

  test('of a very tall strip stay within WebP’s size limit', async () => {
    const { hash } = await media.store(await plain(320, 30_000).png().toBuffer())

    expect((await sizeOfRendition(hash, 320, 'webp')).high).toBe(1280)
  })

  test.each([
    [641, 'webp'],
    [640, 'jpeg'],
    [640, '../original'],
    [Number.NaN, 'webp'],
  ])('do not exist as %s.%s', async (width, format) => {
    const { hash } = await media.store(await plain(900, 600).jpeg().toBuffer())

    expect(await media.rendition(hash, width, format)).toBeNull()
  })

  test.each(['0'.repeat(64), '..', `../${'a'.repeat(61)}`, 'A'.repeat(64), ''])('do not exist for %j', async hash => {
    expect(await media.rendition(hash, 640, 'webp')).toBeNull()
    expect(await media.has(hash)).toBe(false)
  })
})

describe('background work', () => {
  test('creates every rendition after a picture is stored', async () => {
    const busy = openMedia({ folder })
    const { hash } = await busy.store(await plain(300, 200).jpeg().toBuffer())
    const place = join(folder, hash.slice(0, 2), hash.slice(2))

    await expect.poll(() => readdir(place)).toHaveLength(11)
    await busy.close()
  })

  test('pauses while pictures are requested', async () => {
    const busy = openMedia({ folder, quietMs: 60_000 })
    const shown = await busy.store(await plain(300, 200).jpeg().toBuffer())
    await busy.rendition(shown.hash, 320, 'webp')
    const { hash } = await busy.store(await plain(310, 200).jpeg().toBuffer())

    await new Promise(resolve => setTimeout(resolve, 200))

    const place = join(folder, hash.slice(0, 2), hash.slice(2))
    expect((await readdir(place)).toSorted()).toEqual(['320.webp', '640.webp', 'original'])
    await busy.close()
  })

  test('stops on close and leaves no draft', async () => {
    const busy = openMedia({ folder })
    const bytes = await Promise.all(
      [1, 2, 3].map(size =>
        plain(1000 + size, 1000)
          .jpeg()
          .toBuffer(),
      ),
    )
    const pictures = await Promise.all(bytes.map(each => busy.store(each)))

    await busy.close()

    const files = await filesIn(folder)
    await new Promise(resolve => setTimeout(resolve, 300))
    expect(await filesIn(folder)).toEqual(files)
    expect(files.length).toBeLessThan(pictures.length * 11)
    expect(await readdir(join(folder, 'drafts'))).toEqual([])
  })

  test('removes old drafts of a crash, and keeps recent ones of another process', async () => {
    const drafts = join(folder, 'drafts')
    await mkdir(drafts)
    await writeFile(join(drafts, 'old'), '')
    await utimes(join(drafts, 'old'), 1, 1)
    await writeFile(join(drafts, 'new'), '')

    await openMedia({ folder }).close()

    expect(await readdir(drafts)).toEqual(['new'])
  })
})
