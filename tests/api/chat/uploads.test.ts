import { stat, utimes } from 'node:fs/promises'
import sharp from 'sharp'
import { parse } from 'content-disposition'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Attachment, MAX_FILE_BYTES, MAX_FILES } from '#contract/chat.ts'
import { namedKeys } from '#server/uploads/files.ts'
import { type ChatFile, honestFiles, photograph } from '#tests/support/uploads/chat-files.ts'
import { FORM_TYPE, formStart, rawForm, sendPieces } from '#tests/support/uploads/uploading.ts'
import { startUploading } from '#tests/support/provider/uploading-shop.ts'

const HOUR_MS = 3600_000
/** Enough for all small files of one customer in these tests. */
const MARGIN = 100_000
const NOTE: ChatFile = { name: 'note.txt', content: Buffer.from('Hello') }

let late = 0
const limits = `upload=80/10m,uploadBytes=${MAX_FILE_BYTES + MARGIN}/1d`
const shopping = await startUploading({ limits, now: () => Date.now() + late })
const { ada, attach, bearer, between, bytesOf, customer, db, get, onDisk, send, sent, shop, uploads, uploadsDir } =
  shopping
afterAll(shopping.close)
afterEach(() => {
  late = 0
})

describe('files that customers send', () => {
  let honest: Attachment[]
  beforeAll(async () => {
    honest = await sendHonest()
  })

  async function sendHonest(): Promise<Attachment[]> {
    const files = await honestFiles()
    const found: Attachment[] = []
    for (let at = 0; at < files.length; at += MAX_FILES)
      found.push(...(await sent(ada, files.slice(at, at + MAX_FILES))).attachments)
    expect(found.map(({ originalName }) => originalName)).toEqual(files.map(({ name }) => name))
    return found
  }

  test('are shown inline if their type cannot run code, otherwise they are downloaded', async () => {
    for (const { url, type, mimeType, size, originalName } of honest) {
      const { status, headers } = await get(url)

      expect(status).toBe(200)
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': mimeType === 'text/plain' ? 'text/plain; charset=utf-8' : mimeType,
        'content-length': String(size),
        'content-disposition': expect.stringMatching(type === 'other' ? /^attachment; / : /^inline; /) as string,
        'content-security-policy': "sandbox; default-src 'none'",
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
        'cache-control': expect.stringMatching(/^private, max-age=\d{4}, immutable$/) as string,
      })
      expect(parse(headers.get('content-disposition') ?? '').parameters.filename).toBe(originalName)
    }
  })

  test('are returned unchanged, except pictures', async () => {
    const content = new Map((await honestFiles()).map(file => [file.name, file.content]))
    const others = honest.filter(({ type }) => type !== 'image')
    expect(others.map(({ type }) => type)).toEqual([...Array(3).fill('video'), ...Array(6).fill('other')])

    for (const { url, originalName } of others)
      expect((await bytesOf(url)).equals(content.get(originalName)!)).toBe(true)
  })

  test('are re-encoded if they are pictures: upright, still animated and without metadata', async () => {
    const [photo, drawing, sticker, dance] = honest
    expect((await photograph()).includes('Ada at home')).toBe(true)
    expect((await bytesOf(photo!.url)).includes('Ada at home')).toBe(false)

    const seen = async ({ url, width, height }: Attachment) => {
      const { pages = 1, mediaType, ...drawn } = await sharp(await bytesOf(url), { animated: true }).metadata()
      expect({ width: drawn.width, height: drawn.pageHeight ?? drawn.height }).toEqual({ width, height })
      return { size: `${width} × ${height}`, pages, mediaType }
    }
    expect(await seen(photo!)).toEqual({ size: '40 × 60', pages: 1, mediaType: 'image/jpeg' })
    expect(await seen(drawing!)).toEqual({ size: '60 × 40', pages: 1, mediaType: 'image/png' })
    expect(await seen(sticker!)).toEqual({ size: '60 × 40', pages: 2, mediaType: 'image/webp' })
    expect(await seen(dance!)).toEqual({ size: '60 × 40', pages: 2, mediaType: 'image/gif' })
  })

  test('can be read only by the shop’s own system account', async () => {
    await attach(ada, NOTE)
    const [path = ''] = await onDisk()

    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(uploadsDir)).mode & 0o777).toBe(0o700)
  })

  test('may come with a text; the form’s fields may be in any order, and a sent name is ignored', async () => {
    const fields = { ...between(ada), message: 'Look – 100 %', name: 'Mallory' }
    const form = rawForm({}, 'filename="a.txt"', 'a\r\n', formStart(fields, 'filename="b.txt"'), 'b')
    const { status, body: said } = await sendPieces(shopping.url, bearer(ada), [form])

    expect(status).toBe(201)
    const url = expect.stringMatching(/^\/media\/files\/[\w-]+\/[ab]\.txt\?expires=\d+&signature=[\w-]{43}$/) as string
    expect(JSON.parse(said)).toMatchObject({
      message: {
        message: 'Look – 100 %',
        senderName: 'Ada',
        attachments: [
          { type: 'other', url, mimeType: 'text/plain', originalName: 'a.txt', size: 1 },
          { type: 'other', url, mimeType: 'text/plain', originalName: 'b.txt', size: 1 },
        ],
      },
    })
  })

  test('are stored once when the message is sent twice with the same clientId', async () => {
    const first = await sent(ada, [NOTE], { clientId: 'twice' })
    const before = await onDisk()

    const again = await sent(ada, [NOTE], { clientId: 'twice' })

    expect(again.id).toBe(first.id)
    expect(await onDisk()).toEqual(before)
  })

  test('are removed when their message is deleted', async () => {
    const before = await onDisk()
    const { id, attachments } = await sent(ada, [NOTE, NOTE])
    expect(await onDisk()).toHaveLength(before.length + 2)

    await ada.api.deleteMessage({ messageId: id })

    expect(await onDisk()).toEqual(before)
    expect((await get(attachments[0]!.url)).status).toBe(404)
  })

  test('are removed by the sweep after an hour when no message names them', async () => {
    const { url } = await attach(ada, NOTE)
    const stray = await uploads.receive(
      new Request(shopping.url, {
        method: 'POST',
        headers: { 'content-type': FORM_TYPE },
        body: new Uint8Array(rawForm({}, 'filename="stray.txt"', 'x')),
      }),
      async () => {},
    )
    const [{ key } = { key: '' }] = await stray.keep('203.0.113.1')
    await stray.discard()
    const path = `${uploadsDir}/${key}`
    const sweep = () => uploads.sweep(keys => namedKeys(db, keys))

    expect(await sweep()).toBe(0)
    for (const each of await onDisk()) await utimes(each, new Date(0), new Date(0))
    expect(await sweep()).toBe(1)

    expect(await onDisk()).not.toContain(path)
    expect((await get(url)).status).toBe(200)
  })
})

describe('another customer’s conversation', () => {
  test.each([
    ['in another’s name', (grace: { id: string }) => ({ userId: grace.id })],
    ['with a shop that does not exist', () => ({ sellerId: 'no-shop' })],
  ])('accepts no files %s', async (_, fields) => {
    const before = await onDisk()
    const grace = await customer('Grace')

    const { status } = await send(ada, [NOTE], fields(grace))

    expect(status).toBe(404)
    expect(await onDisk()).toEqual(before)
    await expect(grace.api.getMessages({ sellerId: shop.id })).rejects.toMatchObject({ status: 404 })
  })
})

describe('a file’s URL', () => {
  test('expires after two hours at most; expired and forged URLs get the same 403 response', async () => {
    const { url } = await attach(ada, NOTE)
    const refused = { status: 403, body: '{"error":"This address is not valid"}', cache: 'no-store' }
    const ask = async (path: string) => {
      const answer = await get(path)
      return { status: answer.status, body: await answer.text(), cache: answer.headers.get('cache-control') }
    }

    expect((await get(url)).status).toBe(200)
    expect(await ask(url.replace(/.$/, sign => (sign === 'A' ? 'B' : 'A')))).toEqual(refused)
    expect(await ask(url.replace(/\?.*/, ''))).toEqual(refused)
    expect(await ask(url.replace(/files\/[^/]+/, 'files/another'))).toEqual(refused)
    expect(await ask(url.replace(/expires=\d/, 'expires=9'))).toEqual(refused)
    late = 2 * HOUR_MS
    expect(await ask(url)).toEqual(refused)
    const { token } = await shopping.sessions.start(ada)
    const { messages } = await shopping.apiOf(token).getMessages({ sellerId: shop.id })
    expect((await get(messages.at(-1)!.attachments[0]!.url)).status).toBe(200)
  })

  test('supports range requests, HEAD and If-None-Match', async () => {
    const { url } = await attach(ada, { name: 'film.mp4', content: (await honestFiles())[4]!.content })
    const whole = await bytesOf(url)
    const ask = async (headers: Record<string, string>, method?: string) => {
      const answer = await get(url, headers, method)
      const bytes = Buffer.from(await answer.arrayBuffer())
      return { status: answer.status, range: answer.headers.get('content-range'), bytes, headers: answer.headers }
    }
    const etag = (await get(url)).headers.get('etag') ?? ''

    expect((await get(url)).headers.get('accept-ranges')).toBe('bytes')
    expect(await ask({ range: 'bytes=100-199' })).toMatchObject({
      status: 206,
      range: `bytes 100-199/${whole.length}`,
      bytes: whole.subarray(100, 200),
    })
    expect(await ask({ range: 'bytes=-10' })).toMatchObject({ status: 206, bytes: whole.subarray(-10) })
    expect(await ask({ range: 'bytes=9999999-' })).toMatchObject({ status: 416, range: `bytes */${whole.length}` })
    expect(await ask({ range: 'bytes=0-9', 'if-range': '"older"' })).toMatchObject({ status: 200, bytes: whole })
    for (const known of [etag, `"older", W/${etag}`])
      expect(await ask({ 'if-none-match': known })).toMatchObject({ status: 304, bytes: Buffer.alloc(0) })
    const head = await ask({}, 'HEAD')
    expect(head).toMatchObject({ status: 200, bytes: Buffer.alloc(0) })
    expect(head.headers.get('content-length')).toBe(String(whole.length))
  })
})

test('the server stores one upload form per customer at a time, and other customers do not wait', async () => {
  const mallory = await customer('Mallory')
  const gate = Promise.withResolvers<void>()
  const seen = { received: 0, keeping: 0 }
  const { receive } = uploads
  const watch = vi.spyOn(uploads, 'receive').mockImplementation(async (...form) => {
    const upload = await receive(...form)
    if (upload.fields.userId !== mallory.id) return upload
    seen.received += 1
    const keep = (network: string) => {
      seen.keeping += 1
      return gate.promise.then(() => upload.keep(network))
    }
    return { ...upload, keep }
  })
  const sending = [send(mallory, [NOTE]), send(mallory, [NOTE])]
  await expect.poll(() => seen.received).toBe(2)

  expect(await send(ada, [NOTE])).toMatchObject({ status: 201 })
  expect(seen.keeping).toBe(1)
  gate.resolve()
  expect(await Promise.all(sending)).toMatchObject([{ status: 201 }, { status: 201 }])
  watch.mockRestore()
})

describe('the upload limit of one customer', () => {
  test('counts files', async () => {
    const grace = await customer('Grace')
    const five = Array.from({ length: MAX_FILES }, () => NOTE)
    for (let count = 0; count < 80; count += MAX_FILES) await sent(grace, five)
    const before = await onDisk()

    const { status, error } = await send(grace, [NOTE])

    expect({ status, error }).toEqual({ status: 429, error: expect.stringMatching(/^Too many attempts/) as string })
    expect(await onDisk()).toEqual(before)
    expect((await send(ada, [NOTE])).status).toBe(201)
  })

  test('counts bytes, with up to 25 MB in one file', async () => {
    const grace = await customer('Grace')
    const largest = { name: 'all.txt', content: Buffer.alloc(MAX_FILE_BYTES, 'x') }
    expect(await attach(grace, largest)).toMatchObject({ size: MAX_FILE_BYTES })
    const before = await onDisk()

    const { status, error } = await send(grace, [{ name: 'more.txt', content: Buffer.alloc(MARGIN + 1, 'x') }])

    expect({ status, error }).toEqual({ status: 429, error: expect.stringMatching(/ 24 hours$/) as string })
    expect(await onDisk()).toEqual(before)
  })
})
