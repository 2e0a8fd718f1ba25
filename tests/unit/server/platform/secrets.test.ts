import { mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSecrets } from '#server/platform/secrets.ts'

let folder: string
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'piazza-secrets-')), 'secrets')
})
afterEach(() => rm(join(folder, '..'), { recursive: true }))

const hex = (keys: Uint8Array[]) => keys.map(key => Buffer.from(key).toString('hex'))

describe('the shop’s keys', () => {
  test('are created on first use, for this account only, and kept', async () => {
    const first = await openSecrets(folder)

    expect(await readdir(folder)).toEqual(['current.key'])
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder, 'current.key'))).mode & 0o777).toBe(0o600)
    expect(hex((await openSecrets(folder)).keysFor('x'))).toEqual(hex(first.keysFor('x')))
  })

  test('differ by purpose, and have 256 bits', async () => {
    const { keysFor } = await openSecrets(folder)

    expect(keysFor('x')[0]).toHaveLength(32)
    expect(hex(keysFor('x'))).not.toEqual(hex(keysFor('y')))
  })

  test('are the same for processes that start at once', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, async () => openSecrets(folder)))

    expect(new Set(all.flatMap(({ keysFor }) => hex(keysFor('x')))).size).toBe(1)
    expect(await readdir(folder)).toEqual(['current.key'])
  })

  test('can be rotated: the previous key is still accepted', async () => {
    const before = await openSecrets(folder)
    await rename(join(folder, 'current.key'), join(folder, 'previous.key'))
    const after = await openSecrets(folder)

    expect(after.keysFor('x')).toHaveLength(2)
    expect(hex(after.keysFor('x'))[1]).toBe(hex(before.keysFor('x'))[0])
    expect(hex(after.keysFor('x'))[0]).not.toBe(hex(before.keysFor('x'))[0])
  })

  test.each(['', 'changeme', 'ab'.repeat(31)])('are rejected when the file contains %j', async text => {
    await openSecrets(folder)
    await writeFile(join(folder, 'current.key'), text)

    await expect(openSecrets(folder)).rejects.toThrow('is not a key')
  })
})
