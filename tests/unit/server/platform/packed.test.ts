import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findPacked, nameOf, placesIn } from '#server/platform/packed.ts'

let root = ''
let packed = ''

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'piazza-packed-'))
  writeFileSync(join(root, 'serve.ts'), 'one')
  const { folder, list } = placesIn(root)
  const name = nameOf(root, ['serve.ts'])
  packed = join(folder, name, 'serve.mjs')
  mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(packed, '')
  writeFileSync(list, JSON.stringify({ files: ['serve.ts'], name }))
})

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true })
})

test('what was packed of the very files is taken', () => {
  expect(findPacked(root)).toBe(packed)
})

test('not once a file has changed, or is gone', () => {
  writeFileSync(join(root, 'serve.ts'), 'two')
  expect(findPacked(root)).toBeNull()

  rmSync(join(root, 'serve.ts'))
  expect(findPacked(root)).toBeNull()
})

test('not where it is gone itself', () => {
  rmSync(packed)

  expect(findPacked(root)).toBeNull()
})

test('not while the files are watched', () => {
  vi.stubEnv('WATCH_REPORT_DEPENDENCIES', '1')

  expect(findPacked(root)).toBeNull()
})
