import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { Pool } from 'pg'
import { openDatabase } from '#server/db/database.ts'
import { recordRelease, requireKnownRelease } from '#server/db/release.ts'
import { RELEASE } from '#server/db/release.ts'
import { createDatabase } from '#tests/support/processes/postgres.ts'

const url = await createDatabase(inject('postgresUrl')!)
let pool: Pool
beforeAll(async () => {
  await (await openDatabase({ url })).close()
  pool = new Pool({ connectionString: url, max: 1 })
})
afterAll(() => pool.end())

test('a process shares the database with the release after its own', async () => {
  await recordRelease(pool, { release: 'v98.0.0', previous: RELEASE })

  const database = await openDatabase({ url })
  expect(database.isAlive()).toBe(true)
  await database.close()
})

test('an older process does not take the database back to its own release', async () => {
  await recordRelease(pool)

  await expect(requireKnownRelease(pool, { release: 'v0.0.9', previous: 'v0.0.8' })).rejects.toThrow(
    `it belongs to Piazza v98.0.0, and this is v0.0.9: only ${RELEASE} and newer can use it`,
  )
})

test('a process does not start on a database that is more than one release newer, and names both', async () => {
  await recordRelease(pool, { release: 'v99.0.0', previous: 'v98.0.0' })

  await expect(openDatabase({ url })).rejects.toThrow(
    `The database of DATABASE_URL cannot be used: it belongs to Piazza v99.0.0, and this is ${RELEASE}: only v98.0.0 and newer can use it`,
  )
})
