import { asc, eq, gte } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { databaseOver } from '#server/db/keep-connections.ts'
import { auditEvents, auditHead } from '#server/db/schema.ts'
import { transact } from '#server/db/transact.ts'
import { recordAudit, verifyAudit } from '#server/platform/audit.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, close } = await startProvider()
afterAll(close)
beforeEach(async () => {
  await db.delete(auditEvents)
  await db.update(auditHead).set({ count: 0, hash: '' })
})

const stored = () => db.select().from(auditEvents).orderBy(asc(auditEvents.id))
const login = (outcome: 'ok' | 'refused', details = {}) => recordAudit(db, { event: 'login', outcome, details })

describe('the audit', () => {
  test('stores event, outcome, actor, IP address and request id', async () => {
    await recordAudit(db, {
      event: 'login',
      outcome: 'refused',
      actorId: 'ada',
      ip: '1.2.3.4',
      requestId: 'r-1',
      details: { reason: 'password' },
    })

    expect(await stored()).toMatchObject([
      { event: 'login', outcome: 'refused', actorId: 'ada', ip: '1.2.3.4', requestId: 'r-1', previousHash: '' },
    ])
  })

  test('forms one hash chain, even when many events are recorded at once', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, at) => login('ok', { z: at, a: [1, { y: 1, b: 2 }] })))

    const rows = await stored()
    expect(rows.slice(1).map(row => row.previousHash)).toEqual(rows.slice(0, -1).map(row => row.hash))
    expect(await verifyAudit(db)).toEqual({ count: 20, brokenAt: null, missing: 0 })
  })

  test('detects a changed event', async () => {
    for (const name of ['ada', 'bob', 'eve']) await login('ok', { name })
    const [, second] = await stored()
    await db.update(auditEvents).set({ outcome: 'refused' }).where(eq(auditEvents.id, second!.id))

    expect(await verifyAudit(db)).toEqual({ count: 1, brokenAt: second!.id, missing: 0 })
  })

  test('detects a deleted event', async () => {
    for (const name of ['ada', 'bob', 'eve']) await login('ok', { name })
    const [, second, third] = await stored()
    await db.delete(auditEvents).where(eq(auditEvents.id, second!.id))

    expect(await verifyAudit(db)).toEqual({ count: 1, brokenAt: third!.id, missing: 0 })
  })

  test('detects deleted events at the end', async () => {
    for (const name of ['ada', 'bob', 'eve']) await login('ok', { name })
    const [, second] = await stored()
    await db.delete(auditEvents).where(gte(auditEvents.id, second!.id))

    expect(await verifyAudit(db)).toEqual({ count: 1, brokenAt: null, missing: 2 })
    await db.delete(auditEvents)
    expect(await verifyAudit(db)).toEqual({ count: 0, brokenAt: null, missing: 3 })
  })

  test('replaces characters that the database cannot store, and shortens long texts', async () => {
    await login('refused', { email: 'a\0b\uD800', agent: 'x'.repeat(10_000), lines: '1\n2' })

    const [row] = await stored()
    expect(row?.details).toEqual({ email: 'a\uFFFDb\uFFFD', agent: 'x'.repeat(500), lines: '1\n2' })
    expect(await verifyAudit(db)).toEqual({ count: 1, brokenAt: null, missing: 0 })
  })

  test('takes part in a transaction and is rolled back with it', async () => {
    const undone = transact(db, async tx => {
      await recordAudit(tx, { event: 'order', outcome: 'ok' })
      throw new Error('out of stock')
    })

    await expect(undone).rejects.toThrow('out of stock')
    expect(await stored()).toEqual([])
  })

  test('rejects in a transaction that cannot store it, so that nothing happens unrecorded', async () => {
    const unrecorded = transact(db, async tx => {
      await tx.delete(auditHead)
      await recordAudit(tx, { event: 'order', outcome: 'ok' })
    })

    await expect(unrecorded).rejects.toThrow('the row of audit_head is missing')
    expect(await db.$count(auditHead)).toBe(1)
  })

  test('does not fail the recorded action when the database is unreachable, and writes to the log instead', async () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const broken = databaseOver(() => Promise.reject(new Error('the database is away')))

    await expect(recordAudit(broken, { event: 'login', outcome: 'ok', actorId: 'ada' })).resolves.toBeUndefined()

    const [line] = write.mock.lastCall ?? []
    write.mockRestore()
    expect(JSON.parse(String(line))).toMatchObject({
      err: { message: 'the database is away' },
      audit: { event: 'login', actorId: 'ada' },
    })
  })
})
