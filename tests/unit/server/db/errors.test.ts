import { expect, test } from 'vitest'
import { reasonOf } from '#server/db/errors.ts'
import { openDatabase } from '#server/db/database.ts'
import { freePort } from '#tests/support/ports.ts'

test('an unreachable database is reported with its reason, without the failed statement', async () => {
  const opening = openDatabase({ url: `postgres://127.0.0.1:${await freePort()}/piazza` })
  await expect(opening).rejects.toThrow(/^The database of DATABASE_URL cannot be used: connect ECONNREFUSED 127/)
})

test('the reason of a failed statement is the database’s, or the first of several', () => {
  const refused = new AggregateError([new Error('connect ECONNREFUSED ::1:5432'), new Error('and 127.0.0.1')])
  expect(reasonOf(new Error('Failed query: select $1\nparams: secret', { cause: refused }))).toBe(
    'connect ECONNREFUSED ::1:5432',
  )
  // The embedded database throws a non-Error when the disk is full.
  const cause = { name: 'ErrnoError', errno: 51 }
  expect(reasonOf(new Error('Failed query: create table', { cause }))).toBe('There is no space left on the disk')
})
