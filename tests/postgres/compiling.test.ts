import { sql } from 'drizzle-orm'
import { expect, inject, test } from 'vitest'
import { openDatabase } from '#server/db/database.ts'
import { createDatabase } from '#tests/support/processes/postgres.ts'

test('PostgreSQL compiles no statement of the shop, which would take longer than running it', async () => {
  const { db, close } = await openDatabase({ url: await createDatabase(inject('postgresUrl')!) })

  const { rows } = await db.execute(sql`show jit`)

  await close()
  expect(rows).toEqual([{ jit: 'off' }])
})
