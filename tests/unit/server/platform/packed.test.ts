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

test('findPacked returns the bundle of unchanged files', () => {
  expect(findPacked(root)).toBe(packed)
})

test('findPacked returns null once a file has changed or is missing', () => {
  writeFileSync(join(root, 'serve.ts'), 'two')
  expect(findPacked(root)).toBeNull()

  rmSync(join(root, 'serve.ts'))
  expect(findPacked(root)).toBeNull()
})

test('findPacked returns null when the bundle is missing', () => {
  rmSync(packed)

  expect(findPacked(root)).toBeNull()
})

test('findPacked returns null in watch mode', () => {
  vi.stubEnv('WATCH_REPORT_DEPENDENCIES', '1')

  expect(findPacked(root)).toBeNull()
})
