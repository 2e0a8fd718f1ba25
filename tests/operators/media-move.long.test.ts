import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { openBucket } from '#server/media/bucket.ts'
import { attachments, conversations, messages } from '#server/db/schema.ts'
import { databaseIdOf, renewDatabaseId } from '#server/db/database-id.ts'
import { transact } from '#server/db/transact.ts'
import { openMedia } from '#server/media/store.ts'
import { openBucketFiles } from '#server/uploads/file-store.ts'
import { addSeller } from '#tests/support/catalogue/catalogue.ts'
import { filesIn } from '#tests/support/uploads/uploading.ts'
import { addCustomers } from '#tests/support/provider/crowd.ts'
import { startS3 } from '#tests/support/fakes/s3.ts'
import { makeShopData } from '#tests/support/provider/shop-data.ts'
import { openForOperators, typeCommand } from '#tests/support/provider/typing.ts'

const COMMAND_MS = 180_000
const PICTURES = 60
/** The original, WebP 320 and WebP 640. */
const FILES = 3 * PICTURES

const { s3, close } = await startS3()
const { dataDir, environment, remove } = await makeShopData(inject('postgresUrl') ?? undefined)
const env = {
  ...environment,
  S3_BUCKET: s3.bucket,
  S3_REGION: s3.region,
  S3_ENDPOINT: s3.endpoint,
  S3_ACCESS_KEY_ID: s3.accessKeyId,
  S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
}
const folder = join(dataDir, 'media')
const uploadsFolder = join(dataDir, 'uploads')
const bucket = openBucket(s3)
const hashes: string[] = []
let shop: Awaited<ReturnType<typeof openForOperators>>

beforeAll(async () => {
  const media = openMedia({ folder, background: false })
  for (let number = 0; number < PICTURES; number += 1) {
    const plain = sharp({ create: { width: 8 + number, height: 8, channels: 3, background: '#c33' } })
    hashes.push((await media.store(await plain.png().toBuffer())).hash)
  }
  await media.close()
  shop = await openForOperators(env)
})
afterAll(async () => {
  await shop.close()
  bucket.close()
  await close()
  await remove()
})

const countInBucket = async () => (await Array.fromAsync(bucket.list(''))).length

/** The address of a file that a customer sent before there was a bucket. */
async function sendFile(): Promise<string> {
  const file = { key: 'ab/abababab-0000-4000-8000-000000000000', mimeType: 'text/plain', originalName: 'letter.txt' }
  await mkdir(join(uploadsFolder, 'ab'), { recursive: true })
  await writeFile(join(uploadsFolder, file.key), 'Dear shop')
  const { db } = shop.database
  const [customer] = await addCustomers(db, 1)
  const { id: sellerId } = await addSeller(db)
  const chats = db.insert(conversations).values({ userId: customer!.id, sellerId, lastSeq: 1 })
  const [chat] = await chats.returning()
  const message = { conversationId: chat!.id, seq: 1, sender: 'customer' as const, text: '' }
  const [{ id: messageId } = { id: '' }] = await db.insert(messages).values(message).returning()
  const attachment = { ...file, messageId, position: 0, type: 'other' as const, size: 'Dear shop'.length }
  const [{ id } = { id: '' }] = await db.insert(attachments).values(attachment).returning()
  return shop.uploads.addressOf({ id, originalName: file.originalName })
}

async function statuses(): Promise<number[]> {
  return Promise.all(
    hashes.map(async hash => {
      const answer = await shop.fetch(new Request(`http://shop.test/media/${hash}/640.webp`))
      await answer.body?.cancel()
      return answer.status
    }),
  )
}

test(
  'pictures move into the bucket while the shop is open, and after an interruption',
  { timeout: COMMAND_MS },
  async () => {
    const interrupted = await typeCommand(['media', 'move'], {
      env,
      onStart: child =>
        void vi
          .waitFor(async () => expect(await countInBucket()).toBeGreaterThan(0), { timeout: COMMAND_MS, interval: 10 })
          .then(() => child.kill('SIGINT')),
    })
    expect(interrupted.code).toBe(130)
    await shop.database.settled()
    const before = await countInBucket()
    expect(before).toBeLessThan(FILES)
    expect(new Set(await statuses())).toEqual(new Set([200]))

    const ended = await typeCommand(['media', 'move'], { env })

    expect(ended).toMatchObject({ code: 0, err: '' })
    expect(ended.out).toContain(`60 pictures and 0 files of customers are in the bucket ${s3.bucket}: copied `)
    expect(await countInBucket()).toBe(FILES)
    expect(await typeCommand(['media', 'move'], { env })).toMatchObject({
      out: expect.stringContaining('copied 0 files (0 bytes)') as string,
    })
  },
)

test(
  'pictures are removed from the folder only when asked, and damaged ones stay',
  { timeout: COMMAND_MS },
  async () => {
    const media = openMedia({ folder, background: false })
    const damaged = await media.add(Buffer.from('a picture'))
    await media.close()
    const place = join(folder, damaged.slice(0, 2), damaged.slice(2))
    await writeFile(join(place, 'original'), 'another picture')

    const ended = await typeCommand(['media', 'move', '--delete'], { env })

    expect(ended.code).toBe(1)
    expect(ended.err).toContain(`The original is missing or damaged: ${place}`)
    expect(ended.out).toContain('60 pictures and 0 files of customers are in the bucket')
    const rest = await readdir(folder, { recursive: true, withFileTypes: true })
    expect(rest.filter(entry => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))).toEqual([
      join(place, 'original'),
    ])
    expect(new Set(await statuses())).toEqual(new Set([200]))
  },
)

test('files that customers sent move with the pictures', { timeout: COMMAND_MS }, async () => {
  const address = await sendFile()
  const read = async () => (await shop.fetch(new Request(`http://shop.test${address}`))).text()
  expect(await read()).toBe('Dear shop')

  const moved = await typeCommand(['media', 'move', '--delete'], { env })

  expect(moved.out).toContain(
    `1 file of customers are in the bucket ${s3.bucket}: copied 1 file (9 bytes), and removed from the folder`,
  )
  expect(await filesIn(uploadsFolder)).toEqual([])
  expect(await read()).toBe('Dear shop')
})

test('a restored shop takes over the bucket by a command only', { timeout: COMMAND_MS }, async () => {
  const { claim, owner, remove } = await openBucketFiles(s3)
  const problem = `PROBLEM The bucket may belong to another database (see 'media claim'): unused files stay in ${s3.bucket}`
  await claim('another database')
  expect((await typeCommand(['doctor'], { env })).out).toContain(problem)
  // Versions before the bucket had an owner: theirs may still be in use.
  await remove('piazza-owner')
  expect((await typeCommand(['doctor'], { env })).out).not.toContain(problem)
  await transact(shop.database.db, renewDatabaseId)
  expect((await typeCommand(['doctor'], { env })).out).toContain(problem)

  expect((await typeCommand(['media', 'claim', '--yes'], { env })).out).toContain('belongs to this shop')

  expect(await owner()).toBe(await databaseIdOf(shop.database.db))
  expect((await typeCommand(['doctor'], { env })).out).not.toContain(problem)
})

test('a removal that was interrupted is completed', { timeout: COMMAND_MS }, async () => {
  const rest = join(folder, hashes[0]!.slice(0, 2), hashes[0]!.slice(2))
  await mkdir(rest, { recursive: true })
  await writeFile(join(rest, '640.webp'), 'a rendition')

  const { err } = await typeCommand(['media', 'move', '--delete'], { env })

  expect(err).not.toContain(rest)
  expect(await readdir(join(rest, '..'))).not.toContain(hashes[0]!.slice(2))
})

test('pictures of a shop without a bucket stay where they are', { timeout: COMMAND_MS }, async () => {
  const other = await makeShopData(undefined)

  const ended = await typeCommand(['media', 'move'], { env: other.environment })

  expect(ended).toMatchObject({ code: 1, out: '' })
  expect(ended.err).toContain('There is no bucket: set S3_… and restart the shop\n')
  await other.remove()
})
