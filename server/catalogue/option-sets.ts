import { type SQL, sql } from 'drizzle-orm'
import { optionFilter, valueKey } from '#contract/filters.ts'
import type { Db } from '../db/types.ts'
import { prepared } from '../db/prepared.ts'
import { optionSets, type VariantSnapshot } from '../db/schema.ts'

type VariantOptions = VariantSnapshot['options'][]

/** One spelling of an option's value: 'Blue' and 'blue' are two of these. */
export interface OptionValue {
  /** Name of the filter and key of the value: equal for all spellings of the value. */
  filter: string
  key: string
  title: string
  label: string
  /** Index of the value's first known spelling. */
  first: number
}

/** The options of a product's variants, as indexes into `OptionIndex.values`. */
export interface OptionSet {
  variants: number[][]
  /** The values of all variants, each in one spelling. */
  all: number[]
  /** The filters of these values; the same array for all sets with the same filters. */
  filters: string[]
}

/** The option sets read so far, with their values as numbers, which are faster to compare than texts. */
export interface OptionIndex {
  values: OptionValue[]
  readSet(variants: VariantOptions): OptionSet
  /** Reads these rows of `option_sets`, except those already read: rows never change. */
  load(ids: number[]): Promise<void>
  /** Reads all rows of `option_sets`, except those already read. Returns the ids of all rows. */
  loadAll(): Promise<number[]>
  /** A loaded set; undefined if it has been deleted in the meantime. */
  setOf(id: number): OptionSet | undefined
}

/** Enough for large shops whose products all have different options. */
const MAX_SETS = 200_000

interface LimitedOptionIndex extends OptionIndex {
  isFull(): boolean
}

/**
 * The index of a database. A full one is replaced by an empty one: only compare numbers of the same index. Filling it
 * takes two to four times as long as counting a filtered listing (bench/README.md, 'caches').
 */
export const currentOptionIndex = prepared(db => {
  let current = createOptionIndex(db)
  return (): OptionIndex => {
    if (current.isFull()) current = createOptionIndex(db)
    return current
  }
})

export function createOptionIndex(db: Pick<Db, 'select'>): LimitedOptionIndex {
  const values: OptionValue[] = []
  const indexes = new Map<string, number>()
  const firsts = new Map<string, number>()
  const sets = new Map<number, OptionSet>()
  const filterLists = new Map<string, string[]>()

  function indexOf([name, label]: readonly [name: string, value: string]): number {
    const written = JSON.stringify([name, label])
    const known = indexes.get(written)
    if (known !== undefined) return known
    const index = values.length
    const [filter, key] = [optionFilter(name), valueKey(label)]
    const first = firsts.get(`${filter}=${key}`) ?? index
    values.push({ filter, key, title: name.trim(), label: label.trim(), first })
    indexes.set(written, index)
    firsts.set(`${filter}=${key}`, first)
    return index
  }

  function readSet(options: VariantOptions): OptionSet {
    const variants = options.map(pairs => oneOfEach(pairs.map(indexOf)))
    const all = new Map(variants.flat().map(index => [values[index]!.first, index]))
    const filters = [...new Set([...all.values()].map(index => values[index]!.filter))].toSorted()
    const key = filters.join(' ')
    if (!filterLists.has(key)) filterLists.set(key, filters)
    return { variants, all: [...all.values()], filters: filterLists.get(key)! }
  }

  /** Leaves out values that cannot be filtered by, and all but the last value of the same filter. */
  function oneOfEach(variant: number[]): number[] {
    const byFilter = new Map(variant.toReversed().map(index => [values[index]!.filter, index]))
    return variant.filter(index => isFilterable(values[index]!) && byFilter.get(values[index]!.filter) === index)
  }

  async function load(ids: number[]): Promise<void> {
    const missing = ids.filter(id => !sets.has(id))
    if (missing.length === 0) return
    const rows = await selectSets(db, missing)
    for (const { id, variants } of rows) sets.set(id, readSet(variants))
  }

  return {
    values,
    readSet,
    load,
    async loadAll() {
      const [row] = await db.select({ ids: numbersAsText(sql`${optionSets.id}`) }).from(optionSets)
      const ids = readNumbers(row?.ids)
      await load(ids)
      return ids
    },
    setOf: id => sets.get(id),
    isFull: () => sets.size > MAX_SETS || values.length > MAX_SETS,
  }
}

/** All numbers of a column as one text: much faster than rows or JSON for tens of thousands. Read by `readNumbers`. */
export function numbersAsText(column: SQL): SQL<string | null> {
  return sql<string | null>`string_agg(${column}::text, ',')`
}

export function readNumbers(text: string | null | undefined): number[] {
  return text ? text.split(',').map(Number) : []
}

function selectSets(db: Pick<Db, 'select'>, ids: number[]) {
  return db
    .select()
    .from(optionSets)
    .where(sql`${optionSets.id} = any(${sql.param(ids)}::int[])`)
}

/** An option whose name has no letters or digits cannot be a query parameter. */
function isFilterable({ filter, key }: OptionValue): boolean {
  return filter !== optionFilter('') && key !== ''
}
