import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { signingKeys } from '#server/db/schema.ts'
import { openSessions } from '#server/accounts/sessions.ts'
import { openSigningKeys, revokeKeys, rotateKeys } from '#server/platform/signing-keys.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const provider = await startProvider()
const { db, database } = provider
afterAll(provider.close)

const MINUTE = 60_000
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'piazza-keys-'))
  await db.delete(signingKeys)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true })
})

const open = () => openSigningKeys({ database, folder, log: pino({ level: 'silent' }) })
const hex = (keys: Uint8Array[]) => keys.map(key => Buffer.from(key).toString('hex'))

/** Moves the clock on, and waits until both sides know what was committed before. */
async function aMinuteLater(): Promise<void> {
  await database.settled()
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + MINUTE + 1000)
}

describe('the shop’s keys', () => {
  test('are made once, by whichever process starts first', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, open))

    expect(new Set(all.map(({ keysFor }) => hex(keysFor('x')).join())).size).toBe(1)
    expect(all[0]!.keysFor('x')).toHaveLength(1)
  })

  test('are taken over from the folder of an earlier version, but only if the database has none', async () => {
    await mkdir(join(folder, 'secrets'))
    const files = join(folder, 'secrets')
    await writeFile(join(files, 'current.key'), 'a'.repeat(64))
    await writeFile(join(files, 'previous.key'), 'b'.repeat(64))
    const taken = await openSigningKeys({ database, folder: files, log: pino({ level: 'silent' }) })
    await writeFile(join(files, 'current.key'), 'c'.repeat(64))
    const later = await openSigningKeys({ database, folder: files, log: pino({ level: 'silent' }) })

    expect(taken.keysFor('x')).toHaveLength(2)
    expect(hex(later.keysFor('x'))).toEqual(hex(taken.keysFor('x')))
    const [first] = await db.select().from(signingKeys).orderBy(signingKeys.signsFrom)
    expect(first?.secret).toBe('b'.repeat(64))
  })

  test('are rotated while the shop runs: the new one is accepted at once and signs a minute later', async () => {
    const [one, other] = [await open(), await open()]
    const [old] = hex(one.keysFor('x'))

    await rotateKeys(db)
    await expect.poll(() => [one, other].map(keys => keys.keysFor('x').length)).toEqual([2, 2])
    const during = hex(one.keysFor('x'))
    await aMinuteLater()
    const after = hex(one.keysFor('x'))

    expect(during[0]).toBe(old)
    expect(after).toEqual(during.toReversed())
    expect(hex(other.keysFor('x'))).toEqual(after)
  })

  test('that are revoked while a process starts are not accepted by it', async () => {
    const [revoked] = hex((await open()).keysFor('x'))
    const revokedMeanwhile = { db, onChange: () => revokeKeys(db) }

    const started = await openSigningKeys({ database: revokedMeanwhile, folder, log: pino({ level: 'silent' }) })

    expect(hex(started.keysFor('x'))).not.toContain(revoked)
  })

  test('are not rotated again before the new one signs', async () => {
    await open()
    await rotateKeys(db)

    await expect(rotateKeys(db)).rejects.toThrow('less than a minute ago')
  })

  test('keep sessions alive through one rotation, and end them when revoked', async () => {
    const secrets = await open()
    const sessions = openSessions({ db, secrets })
    const { id, name, email } = await provider.customer()
    const { token } = await sessions.start({ id, name, email })
    await rotateKeys(db)
    await aMinuteLater()
    expect(await sessions.identify(`Bearer ${token}`)).toMatchObject({ id })
    vi.restoreAllMocks()

    await revokeKeys(db)
    await database.settled()

    await expect
      .poll(() => sessions.identify(`Bearer ${token}`).catch((error: Error) => error.name))
      .toBe('ServiceError')
    expect(secrets.keysFor('x')).toHaveLength(1)
  })
})
