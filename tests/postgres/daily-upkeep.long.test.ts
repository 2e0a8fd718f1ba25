import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { doDailyUpkeep } from '#server/upkeep/daily-upkeep.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, database, jobs, uploads, close } = await startProvider()
afterAll(close)

test(
  'the daily upkeep of a large shop may take longer than the statement of a request',
  { timeout: 120_000 },
  async () => {
    await db.execute(sql`create function take_long() returns trigger language plpgsql as $$
    begin perform pg_sleep(6); return null; end $$`)
    for (const [table, change] of [
      ['products', 'update of units_sold'],
      ['sellers', 'update of reply_hours'],
      ['variant_prices', 'delete'],
      ['notifications', 'delete'],
      ['sessions', 'delete'],
      ['cart_lines', 'delete'],
      ['order_requests', 'delete'],
    ])
      await db.execute(sql.raw(`create trigger slow before ${change} on ${table} execute function take_long()`))

    await expect(
      doDailyUpkeep(database, { jobs, uploads, eraseAccounts: () => Promise.resolve() }),
    ).resolves.toBeUndefined()
  },
)
