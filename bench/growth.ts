import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { sql } from 'drizzle-orm'
import type { ProductQuery } from '#contract/catalogue.ts'
import type { Database } from '#server/db/types.ts'
import { openDatabase } from '#server/db/database.ts'
import { type QueryCache, NO_CACHE } from '#server/catalogue/query-cache.ts'
import { queryProducts } from '#server/catalogue/listing.ts'
import { refreshStatistics } from '#server/db/statistics.ts'
import { createDatabase, startPostgres } from '#tests/support/processes/postgres.ts'
import { plansOf } from './explain.ts'
import { fillCatalogue } from './generate.ts'
import { timeImport } from './import.ts'
import { medianMs } from './load.ts'

const QUERIES: Record<string, ProductQuery> = {
  'page 1': {},
  'page 100': { page: 100 },
  'filter, page 1': { category: 'Audio', rating: 4, lowPrice: 20, highPrice: 60 },
  'sort by price, page 1': { category: 'Audio', sort: 'low-to-high' },
  'sort by price, page 100': { category: 'Audio', sort: 'low-to-high', page: 100 },
  'search, a rare word': { search: 'binoculars' },
  'search, a common word': { search: 'wireless' },
  'search, three words': { search: 'vintage blue headphones' },
  'search, misspelt': { search: 'vintage haedphones' },
  'search + sort, page 100': { search: 'leather', sort: 'low-to-high', page: 100 },
}
const IMPORTED_MB = 3
const PATIENCE_MS = 3600_000

/** Times listings and an import on PostgreSQL with catalogues of growing size. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      products: { type: 'string', default: '1000,10000,100000,1000000' },
      runs: { type: 'string', default: '20' },
      explain: { type: 'boolean', default: false },
    },
  })
  const cluster = await startPostgres({ fsync: true })
  try {
    for (const count of values.products.split(',').map(Number))
      await measure(await createDatabase(cluster.url), count, Number(values.runs), values.explain)
  } finally {
    await cluster.stop()
  }
}

async function measure(url: string, count: number, runs: number, isExplained: boolean): Promise<void> {
  const database = await openDatabase({ url, maxStatementMs: PATIENCE_MS })
  try {
    const began = performance.now()
    await withoutIndexes(database, () => fillCatalogue(database, count))
    console.log(`\n${count} products, made in ${Math.round((performance.now() - began) / 1000)} s`)
    const table: Record<string, object> = {}
    for (const [name, query] of Object.entries(QUERIES)) {
      const cache = cacheTotal()
      const { total } = await queryProducts(database.db, cache, query)
      const page = await medianMs(runs, () => queryProducts(database.db, cache, query))
      const counted = await medianMs(runs, () => queryProducts(database.db, NO_CACHE, query))
      table[name] = { total, 'ms, total cached': page, 'ms, counted again': counted }
    }
    console.table(table)
    for (const [name, query] of Object.entries(isExplained ? QUERIES : {}))
      console.log(`\n## ${name}\n\n${(await plansOf(database.db, query)).join('\n\n')}`)
    const { rows, seconds } = await timeImport(database, IMPORTED_MB)
    console.log(`import: ${Math.round(rows / seconds)} rows/s (${rows} rows)`)
  } finally {
    await database.close()
  }
}

/** Fills the database without indexes and triggers, which is faster for a million rows, and then creates the rest. */
async function withoutIndexes(database: Database, fill: () => Promise<void>): Promise<void> {
  const { db } = database
  const { rows } = await db.execute<{ name: string; definition: string }>(sql`
    select relname as name, pg_get_indexdef(oid) as definition from pg_class
    where oid in (select indexrelid from pg_index where indrelid = 'products'::regclass and not indisunique)
  `)
  for (const { name } of rows) await db.execute(sql`drop index ${sql.identifier(name)}`)
  await db.execute(sql`alter table products disable trigger user`)
  await fill()
  await db.execute(sql`update products set named = search_named(products)`)
  await db.execute(sql`
    update products set search = named || setweight(to_tsvector('russian', search_fold(description)), 'D')
  `)
  await db.execute(sql`alter table products enable trigger user`)
  await db.execute(sql`
    insert into search_words (word)
    select distinct word
    from products,
      search_words_of_product(products) as word
    on conflict do nothing
  `)
  for (const { definition } of rows) await db.execute(sql.raw(definition))
  await refreshStatistics(database)
}

/** Caches the total, as the running shop does until a product changes. */
function cacheTotal(): QueryCache {
  let known: Promise<unknown> | undefined
  return { of: <Total>(_: unknown[], count: () => Promise<Total>) => (known ??= count()) as Promise<Total> }
}
