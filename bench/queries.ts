import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import * as contract from '#contract/catalogue.ts'
import type { ProductQuery } from '#contract/catalogue.ts'
import { readConfig } from '#server/config.ts'
import type { Database } from '#server/db/types.ts'
import { openDatabase } from '#server/db/database.ts'
import { readRules } from '#server/http/limit-rules.ts'
import type { Media } from '#server/media/store.ts'
import { createProvider } from '#server/provider.ts'
import { secretsOf } from '#server/platform/secrets.ts'
import { NO_CACHE } from '#server/catalogue/query-cache.ts'
import { queryProducts } from '#server/catalogue/listing.ts'
import { readSuggestions } from '#server/catalogue/suggestions.ts'
import { createDatabase, startPostgres } from '#tests/support/processes/postgres.ts'
import { plansOf } from './explain.ts'
import { fillCatalogue } from './generate.ts'
import { NO_LIMITS, quantile, timesOf } from './load.ts'
import { BRANDS } from './words.ts'

const QUERIES: Record<string, ProductQuery> = {
  'no filter, page 1': {},
  'no filter, page 1000': { page: 1000 },
  'no filter, last page': { page: 8166 },
  'category + price sort, page 1': { category: 'Audio', sort: 'low-to-high' },
  'category + price sort, page 100': { category: 'Audio', sort: 'low-to-high', page: 100 },
  'newest, page 1000': { sort: 'newest', page: 1000 },
  'category + best rated, page 100': { category: 'Audio', sort: 'best-rated', page: 100 },
  'rating + price range + biggest discount': { rating: 4, lowPrice: 20, highPrice: 60, sort: 'biggest-discount' },
  'rating + price range': { rating: 4, lowPrice: 20, highPrice: 60 },
  'rating + price range + sort, page 100': { rating: 4, lowPrice: 20, highPrice: 600, sort: 'high-to-low', page: 100 },
  'category + rating + price range + sort': {
    category: 'Books',
    rating: 3,
    lowPrice: 10,
    highPrice: 90,
    sort: 'low-to-high',
  },
  'search, one rare word': { search: 'binoculars' },
  'search, a common word': { search: 'wireless' },
  'search, three words': { search: 'vintage blue headphones' },
  'search, an expression': { search: 'wireless running shoes' },
  'search, misspelt': { search: 'vintage haedphones' },
  'search, what nobody sells': { search: 'qwxzvk' },
  'search + sort': { search: 'leather', sort: 'low-to-high' },
  'search + category + sort, page 20': { search: 'leather', category: 'Audio', sort: 'high-to-low', page: 20 },
  'search, unfinished word': { search: 'headph' },
  'size + sort': { filters: [{ name: 'option.size', values: ['43'] }], sort: 'low-to-high' },
  'two sizes + colour + sort': {
    filters: [
      { name: 'option.colour', values: ['Blue'] },
      { name: 'option.size', values: ['43', '44'] },
    ],
    sort: 'low-to-high',
  },
  'brand + colour + sort': {
    filters: [
      { name: 'brand', values: [BRANDS[0]!] },
      { name: 'option.colour', values: ['Blue'] },
    ],
    sort: 'high-to-low',
  },
  'category + size + colour + price range + sort': {
    category: 'Audio',
    lowPrice: 20,
    highPrice: 90,
    filters: [
      { name: 'option.colour', values: ['Blue', 'Ink'] },
      { name: 'option.size', values: ['43'] },
    ],
    sort: 'low-to-high',
  },
  'discount + in stock + shop': {
    discount: 25,
    inStock: true,
    filters: [{ name: 'shop', values: ['shop-1', 'shop-2'] }],
  },
  'ships to a country + rating': { shipsTo: 'France', rating: 4 },
  'all facets + size + price range': {
    rating: 4,
    discount: 10,
    inStock: true,
    shipsTo: 'France',
    lowPrice: 20,
    filters: [{ name: 'option.size', values: ['43'] }],
  },
  'search + facets': { search: 'leather', discount: 25, inStock: true, shipsTo: 'France' },
  'search + size': { search: 'leather', filters: [{ name: 'option.size', values: ['43'] }] },
}

const SUGGESTIONS: Record<string, { value: string; category?: string }> = {
  'two letters of a common word': { value: 'wi' },
  'two letters of a rare word': { value: 'bi' },
  'two letters that begin no word': { value: 'xq' },
  'a common word': { value: 'wireless' },
  'an unfinished rare word': { value: 'binoc' },
  'three words, the last unfinished': { value: 'vintage blue head' },
  'six single letters': { value: 'w b h l s c' },
  'two letters, category': { value: 'he', category: 'Audio' },
  'a word of another category': { value: 'kettle', category: 'Cameras' },
  'a misspelt word': { value: 'haedphones' },
  'misspelt, and what nobody sells': { value: 'vintge qwxzvk' },
}

/** Time limit for filling the catalogue, even on a busy machine. */
const PATIENCE_MS = 120_000

/** Times the listing's queries on PostgreSQL and PGlite with a large catalogue. Totals are not cached. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      products: { type: 'string', default: '100000' },
      runs: { type: 'string', default: '30' },
      explain: { type: 'boolean', default: false },
      only: { type: 'string' },
    },
  })
  const count = Number(values.products)
  const folder = await mkdtemp(join(tmpdir(), 'piazza-bench-'))
  const cluster = values.only === 'embedded' ? null : await startPostgres({ fsync: true })
  try {
    if (cluster)
      await measure(
        await openDatabase({ url: await createDatabase(cluster.url), maxStatementMs: PATIENCE_MS }),
        count,
        values,
      )
    if (values.only !== 'postgresql') {
      await measure(await openDatabase({ folder: join(folder, 'db'), maxStatementMs: PATIENCE_MS }), count, values)
    }
  } finally {
    await cluster?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(database: Database, count: number, { runs, explain }: { runs: string; explain: boolean }) {
  const { db, kind } = database
  const began = performance.now()
  await fillCatalogue(database, count)
  console.log(`\n${kind}: ${count} products in ${seconds(began)} s`)
  const table: Record<string, object> = {}
  for (const [name, query] of Object.entries(QUERIES)) {
    const { total, products } = await queryProducts(db, NO_CACHE, query)
    const times = await timesOf(Number(runs), () => queryProducts(db, NO_CACHE, query))
    table[name] = { total, shown: products.length, ...spread(times) }
  }
  console.table(table)
  await measureSuggestions(database, Number(runs))
  await measureRequests(database)
  for (const [name, query] of Object.entries(explain ? QUERIES : {})) {
    console.log(`\n## ${name}\n\n${(await plansOf(db, query)).join('\n\n')}`)
  }
  await database.close()
}

/** Times suggestions that are not cached. */
async function measureSuggestions({ db }: Database, runs: number): Promise<void> {
  const table: Record<string, object> = {}
  for (const [name, query] of Object.entries(SUGGESTIONS)) {
    const { products, categories, sellers } = await readSuggestions(db, NO_CACHE, query)
    const times = await timesOf(runs, () => readSuggestions(db, NO_CACHE, query))
    table[name] = { products: products.length, others: categories.length + sellers.length, ...spread(times) }
  }
  console.table(table)
}

/** Times requests through the API, with cached totals as in the running shop. */
async function measureRequests(database: Database): Promise<void> {
  const config = { ...readConfig({}), limits: readRules(NO_LIMITS) }
  const { app } = await createProvider(config, {
    database,
    secrets: secretsOf(randomBytes(32)),
    media: {} as Media,
    mail: { send: () => Promise.resolve() },
    log: pino({ level: 'silent' }),
    fetchRates: () => Promise.reject(new Error('the benchmark asks no exchange-rate service')),
  })
  const ask = (page: number) =>
    app.request(`/api${contract.queryProducts.path}?category=Audio&sortPrice=low-to-high&pageNumber=${page}`)
  for (let page = 1; page <= 50; page += 1) await ask(page)
  const requests = 500
  const [began, cpu] = [performance.now(), process.cpuUsage()]
  for (let at = 0; at < requests; at += 1) await (await ask(1 + (at % 50))).arrayBuffer()
  const { user, system } = process.cpuUsage(cpu)
  const perSecond = Math.round((requests * 1000) / (performance.now() - began))
  console.log(
    `query-products, one at a time: ${perSecond} requests/s, ${((user + system) / 1000 / requests).toFixed(2)} ms CPU each`,
  )
}

function spread(times: number[]) {
  const at = (share: number) => Number(quantile(times, share).toFixed(1))
  return { 'best ms': at(0), 'median ms': at(0.5), 'p95 ms': at(0.95) }
}

function seconds(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(1)
}
