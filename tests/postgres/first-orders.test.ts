import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from '#server/db/database.ts'
import { freePort } from '#tests/support/ports.ts'
import { createDatabase } from '#tests/support/processes/postgres.ts'
import { startShopProcess } from '#tests/support/processes/shop-process.ts'

test('a process that listens can take orders: their mails need not wait for its jobs to start', async () => {
  const url = await createDatabase(inject('postgresUrl')!)
  const database = await openDatabase({ url })
  const folder = await mkdtemp(join(tmpdir(), 'piazza-first-orders-'))
  const environment = { DATABASE_URL: url, DATABASE_LISTEN_URL: '', DATA_DIR: folder, PROVIDER_URL: '', DEMO: 'off' }

  const shop = await startShopProcess(environment, await freePort())
  onTestFinished(async () => {
    await shop.kill()
    await database.close()
    await rm(folder, { recursive: true, force: true })
  })

  const { rows } = await database.db.execute(sql`select name from jobs.queue where name = 'orderMail'`)
  expect(rows).toHaveLength(1)
})
