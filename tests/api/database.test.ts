import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { openDatabase } from '#server/db/open.ts'
import { startProvider } from '#tests/support/provider.ts'

const { db, close } = await startProvider()
afterAll(close)

describe('a statement that fails', () => {
  test('costs neither its connection nor what is in it', async () => {
    await db.execute(sql`create temporary table noted as select 1 as line`)

    await expect(db.execute(sql`select 1 / 0`)).rejects.toMatchObject({ cause: { code: '22012' } })

    expect((await db.execute(sql`select line from noted`)).rows).toEqual([{ line: 1 }])
  })

  test('in a script leaves no open transaction behind', async () => {
    await expect(db.execute(sql.raw('begin; select 1 / 0; commit'))).rejects.toMatchObject({ cause: { code: '22012' } })

    expect((await db.execute(sql`select 1 as line`)).rows).toEqual([{ line: 1 }])
  })
})

test('transactions that cannot even begin keep no connection to themselves', async () => {
  const nonsense = { isolationLevel: 'nonsense' as 'serializable' }
  // More than a pool has connections.
  for (let at = 0; at < 12; at += 1)
    await expect(db.transaction(() => Promise.resolve(), nonsense)).rejects.toMatchObject({ cause: { code: '42601' } })

  expect((await db.execute(sql`select 1 as line`)).rows).toEqual([{ line: 1 }])
})

test('several works that may take long leave the embedded database’s watchdog as it was', async () => {
  const embedded = await openDatabase({ snapshot: inject('snapshot') ?? undefined, longestStatementMs: 500 })
  const slow = () => embedded.db.execute(sql`select count(*) from generate_series(1, 10000000)`)
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const works = [first, second].map(({ promise }) => embedded.unhurried(() => promise))

  first.resolve()
  await works[0]
  expect((await slow()).rows).toEqual([{ count: '10000000' }])

  second.resolve()
  await works[1]
  await expect(slow()).rejects.toMatchObject({ cause: { message: expect.stringContaining('was restarted') as string } })
  await embedded.close()
})
