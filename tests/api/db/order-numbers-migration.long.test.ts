import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openDatabase } from '#server/db/database.ts'
import { openOlderDatabase } from '#tests/support/processes/older-database.ts'

/** What a version without order numbers does when a customer orders. */
const place = (id: string) => sql`insert into orders (id, user_id, price_cents) values (${id}, 'ada', 4000)`

test('orders of older versions get a number: those there already, and those placed while such a version still runs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'piazza-numbers-'))
  const older = await openOlderDatabase(folder, '0022')
  for (const id of ['first', 'second']) await older.db.execute(place(id))
  await older.close()

  const database = await openDatabase({ folder: join(folder, 'db') })
  await database.db.execute(place('third'))
  const { rows } = await database.db.execute<{ number: string }>(sql`select number from orders`)
  await database.close()
  await rm(folder, { recursive: true })

  expect(new Set(rows.map(({ number }) => number)).size).toBe(3)
  for (const { number } of rows) expect(number).toMatch(/^PZ-[2-9CDFGHJKMNPQRTWXY]{6}$/)
})
