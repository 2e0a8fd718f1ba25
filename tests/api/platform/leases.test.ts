import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { openLease } from '#server/platform/leases.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, close } = await startProvider()
afterAll(close)

const lapse = () => db.execute(sql`update leases set until = now() - interval '1 second'`)

test('one process at a time holds a lease, and the next one learns what was left', async () => {
  const [one, other] = [1, 2].map(() => openLease(db, { name: 'work', seconds: 60 }))

  expect(await one!.hold(false)).toEqual({ wasBehind: false })
  expect(await other!.hold(false)).toBe(false)
  expect(await one!.hold(true)).toBe('kept')
  await lapse()
  expect(await other!.hold(false)).toEqual({ wasBehind: true })
  expect(await one!.hold(false)).toBe(false)
})

test('a lease that is given up can be taken at once', async () => {
  const [one, other] = [1, 2].map(() => openLease(db, { name: 'other work', seconds: 60 }))
  await one!.hold(false)

  await one!.release(false)

  expect(await other!.hold(false)).toEqual({ wasBehind: false })
})
