import { sql } from 'drizzle-orm'
import { afterAll, expect, inject, test } from 'vitest'
import { openDatabase } from '#server/db/database.ts'
import { createDatabase } from '#tests/support/processes/postgres.ts'

const url = await createDatabase(inject('postgresUrl')!)
const [database, other] = await Promise.all([openDatabase({ url }), openDatabase({ url })])
afterAll(() => Promise.all([database.close(), other.close()]))

test('a process that waits until its pages are up to date changes no page of another one', async () => {
  const tags: (string | null)[] = []
  await other.onChange(tag => void tags.push(tag))
  await database.onChange(() => undefined)

  await database.settled()
  await database.db.execute(sql`select pg_notify('changed', 'seller:1')`)

  await expect.poll(() => tags).toContain('seller:1')
  expect(tags).toEqual(['seller:1'])
})
