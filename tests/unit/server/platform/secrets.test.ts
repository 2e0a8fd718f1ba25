import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readKeyFiles } from '#server/platform/key-files.ts'
import { secretsOf } from '#server/platform/secrets.ts'

const hex = (keys: Uint8Array[]) => keys.map(key => Buffer.from(key).toString('hex'))

describe('derived keys', () => {
  test('differ by purpose, and have 256 bits', () => {
    const { keysFor } = secretsOf(new Uint8Array(32))

    expect(keysFor('x')[0]).toHaveLength(32)
    expect(hex(keysFor('x'))).not.toEqual(hex(keysFor('y')))
  })

  test('of the first master key come first', () => {
    const [one, two] = [new Uint8Array(32), new Uint8Array(32).fill(1)]

    expect(hex(secretsOf(one, two).keysFor('x'))).toEqual([
      ...hex(secretsOf(one).keysFor('x')),
      ...hex(secretsOf(two).keysFor('x')),
    ])
  })
})

describe('the key files of earlier versions', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'piazza-keys-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  test('are read, the current key first', async () => {
    await writeFile(join(folder, 'previous.key'), 'b'.repeat(64))
    await writeFile(join(folder, 'current.key'), `${'a'.repeat(64)}\n`)

    expect(await readKeyFiles(folder)).toEqual(['a'.repeat(64), 'b'.repeat(64)])
  })

  test('may be missing, with their folder', async () => {
    expect(await readKeyFiles(join(folder, 'none'))).toEqual([])
  })

  test.each(['', 'changeme', 'ab'.repeat(31)])('are rejected when one contains %j', async text => {
    await writeFile(join(folder, 'current.key'), text)

    await expect(readKeyFiles(folder)).rejects.toThrow('is not a key')
  })
})
