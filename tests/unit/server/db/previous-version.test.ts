import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PREVIOUS_VERSION } from '#tests/support/processes/previous-version.ts'

interface Column {
  type: string
  notNull: boolean
  default?: unknown
  generated?: unknown
  identity?: unknown
}

const META = 'server/db/migrations/meta'
const readJson = (name: string): unknown => JSON.parse(readFileSync(`${META}/${name}.json`, 'utf8'))

/** The columns of all tables after a migration, given by its number. */
function columnsAfter(migration: string): Map<string, Column> {
  const { tables } = readJson(`${migration}_snapshot`) as {
    tables: Record<string, { columns: Record<string, Column> }>
  }
  const columns = Object.entries(tables).flatMap(([table, { columns }]) =>
    Object.entries(columns).map(([name, column]) => [`${table}.${name}`, column] as const),
  )
  return new Map(columns)
}

const { entries } = readJson('_journal') as { entries: { tag: string }[] }
const before = columnsAfter(PREVIOUS_VERSION.migration)
const now = columnsAfter(entries.at(-1)!.tag.slice(0, 4))
const tables = new Set(Array.from(before.keys(), name => name.slice(0, name.lastIndexOf('.'))))

test('CHANGELOG.md names the oldest version that can share a database with this one', () => {
  expect(readFileSync('CHANGELOG.md', 'utf8')).toContain(PREVIOUS_VERSION.commit)
})

test('migrations drop no column that processes of the previous version read, and change no type', () => {
  const changed = Array.from(before).filter(([name, { type }]) => now.get(name)?.type !== type)

  expect(changed.map(([name]) => name)).toEqual([])
})

test('migrations require no value that processes of the previous version do not write', () => {
  const needed = Array.from(now).filter(([name, column]) => {
    if (!column.notNull || column.default !== undefined || column.generated || column.identity) return false
    const old = before.get(name)
    return old ? !old.notNull || old.default !== undefined : tables.has(name.slice(0, name.lastIndexOf('.')))
  })

  expect(needed.map(([name]) => name)).toEqual([])
})
