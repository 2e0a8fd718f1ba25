import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, expect, inject, test } from 'vitest'
import { exclusivelyByKey } from '#server/db/exclusively-by-key.ts'
import { openDatabase } from '#server/db/database.ts'
import { openMedia } from '#server/media/store.ts'
import { startS3 } from '#tests/support/fakes/s3.ts'
import { createDatabase } from '#tests/support/processes/postgres.ts'

const url = await createDatabase(inject('postgresUrl')!)
const databases = await Promise.all([openDatabase({ url }), openDatabase({ url })])
const [{ db: first }, { db: second }] = databases
afterAll(() => Promise.all(databases.map(database => database.close())))

const photo = sharp({ create: { width: 1500, height: 1000, channels: 3, background: '#c33' } }).jpeg()

test('a rendition is made once, though processes that share a bucket are asked for it at the same time', async () => {
  const { s3, close } = await startS3()
  const root = await mkdtemp(join(tmpdir(), 'piazza-shared-'))
  const processes = databases.map(({ db }, number) =>
    openMedia({
      folder: join(root, `${number}`, 'media'),
      bucket: { s3, cacheFolder: join(root, `${number}`, 'media-cache') },
      exclusively: (key, work) => exclusivelyByKey(db, key, work),
      background: false,
    }),
  )
  const hash = await processes[0]!.add(await photo.toBuffer())
  let begun = 0
  sharp.queue.on('change', () => (begun += 1))

  const asked = processes.flatMap(media => [1, 2, 3].map(() => media.rendition(hash, 1280, 'avif')))
  const found = await Promise.all(asked)

  sharp.queue.removeAllListeners('change')
  // Each job changes the queue when it begins and when it ends.
  expect(begun).toBe(2)
  expect(new Set(found.map(rendition => rendition?.etag)).size).toBe(1)
  expect(found[0]).not.toBeNull()
  await Promise.all(processes.map(media => media.close()))
  await close()
  await rm(root, { recursive: true })
})

test('a rendition is made by another process when the one that makes it dies', async () => {
  const begun = Promise.withResolvers<void>()
  const killed = Promise.withResolvers<void>()
  const dying = exclusivelyByKey(first, 'a picture', () => {
    begun.resolve()
    return killed.promise
  })
  await begun.promise
  let isMade = false
  const made = exclusivelyByKey(second, 'a picture', async () => {
    isMade = true
  })
  await exclusivelyByKey(second, 'another picture', async () => {})
  expect(isMade).toBe(false)

  await second.execute(sql`
    select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`)
  await made

  expect(isMade).toBe(true)
  killed.resolve()
  await expect(dying).rejects.toThrow('rollback')
})
