import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { getCart } from '#contract/cart.ts'
import {
  getBanners,
  getCategories,
  getPriceRange,
  getProduct,
  queryProducts as queryCall,
} from '#contract/catalogue.ts'
import type { Product } from '#contract/product.ts'
import { getSuggestions, type Suggestions } from '#contract/suggestions.ts'
import { openSessionCache } from '#server/accounts/session-cache.ts'
import { type Found, queryProducts } from '#server/catalogue/listing.ts'
import { createOptionIndex, currentOptionIndex } from '#server/catalogue/option-sets.ts'
import { openProductCache } from '#server/catalogue/product-cache.ts'
import { readProduct } from '#server/catalogue/product.ts'
import { NO_CACHE, openQueryCache } from '#server/catalogue/query-cache.ts'
import { currentSynonyms, listSynonyms } from '#server/catalogue/search/current-synonyms.ts'
import { readSynonyms } from '#server/catalogue/search/synonyms.ts'
import { readSuggestions } from '#server/catalogue/suggestions.ts'
import { readConfig } from '#server/config.ts'
import { secretsOf } from '#server/platform/secrets.ts'
import { cacheResponses } from '#server/page-cache/response-cache.ts'
import { openProvider, type Provider } from '#server/provider.ts'
import { addCustomers } from '#tests/support/provider/crowd.ts'
import { onEachDatabase } from './databases.ts'
import { fillCatalogue } from './generate.ts'
import { quantile, timesOf } from './load.ts'

type Use = () => unknown
/** A use of a cache that has what is asked for, and the same use without the cache. */
type Uses = [cached: Use, uncached: Use]

const SEARCH = { search: 'vintage blue headphones' }
const FILTERED = { filters: [{ name: 'option.size', values: ['43'] }] }
const LISTED = { category: 'Audio', sort: 'low-to-high' } as const
/** The first uses, which are not counted: V8 optimises their code. */
const WARM_RUNS = 50

/** Times each use of the caches behind pages and sessions, with and without the cache, in this process. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      products: { type: 'string', default: '5000' },
      runs: { type: 'string', default: '200' },
      only: { type: 'string' },
    },
  })
  await onEachDatabase({ only: values.only, unlimited: ['suggest'] }, async (kind, environment) => {
    const provider = await openProvider(readConfig(environment), pino({ level: 'silent' }))
    try {
      const { database } = provider
      await database.unhurried(db => fillCatalogue({ ...database, db }, Number(values.products)))
      console.log(`\n${kind}: ${values.products} products`)
      console.table(await measure(provider, Number(values.runs)))
    } finally {
      await provider.close()
    }
  })
}

async function measure(provider: Provider, runs: number) {
  const { db } = provider.database
  const [customer] = await addCustomers(db, 1)
  const { token } = await provider.sessions.start(customer!)
  const headers = { authorization: `Bearer ${token}` }
  const { products } = await queryProducts(db, NO_CACHE, LISTED)
  const { _id: productId } = products[0]!
  const callsPage = (path: string) => provider.fetchInProcess(new Request(`http://localhost/api${path}`))
  const calls = async (path: string) => (await provider.app.request(`/api${path}`, { headers })).arrayBuffer()

  const requests: Record<string, Use> = {
    'the address of an uploaded picture': () =>
      provider.uploads.addressOf({ id: customer!.id, originalName: 'jar.webp' }),
    'an empty cart': () => calls(getCart.path.replace(':id', customer!.id)),
    'suggestions for two letters': () => calls(`${getSuggestions.path}?value=bi`),
    'listing, data of its page': () => callsPage(`${queryCall.path}?category=Audio&sortPrice=low-to-high`),
    'product, data of its page': () => callsPage(getProduct.path.replace(/:\w+/, productId)),
    'listing with a filter, counted again': () => queryProducts(db, NO_CACHE, FILTERED),
    'search, counted again': () => queryProducts(db, NO_CACHE, SEARCH),
  }
  const caches = { ...(await accountCaches(provider)), ...catalogueCaches(provider, products) }
  const table: Record<string, object> = {}
  for (const [name, [request, uses]] of Object.entries(caches)) {
    const [cached, uncached] = await timeInTurn(runs, uses)
    const requestUs = microseconds(await timesOf(runs, async () => requests[request]!()))
    const saved = Math.max(uncached - cached, 0)
    table[name] = {
      request,
      'its µs': Math.round(requestUs),
      'µs with': cached,
      'µs without': uncached,
      'saved %': Math.round((100 * saved) / (requestUs + saved)),
    }
  }
  return table
}

/** The caches behind a customer's request. */
async function accountCaches({ database, sessions }: Provider): Promise<Record<string, [string, Uses]>> {
  const [customer] = await addCustomers(database.db, 1)
  const { refreshToken } = await sessions.start(customer!)
  const sessionId = refreshToken.split('.')[0]!
  const cache = openSessionCache(database.db, Date.now)
  const findAgain = () => {
    cache.forgetAll()
    return cache.find(sessionId)
  }
  const master = randomBytes(32)
  const secrets = secretsOf(master)
  return {
    'sessions (`session-cache.ts`)': ['an empty cart', [() => cache.find(sessionId), findAgain]],
    'signing keys (`secrets.ts`)': [
      'the address of an uploaded picture',
      [() => secrets.keysFor('uploads'), () => secretsOf(master).keysFor('uploads')],
    ],
  }
}

/** The caches behind pages of the catalogue, and behind the search. */
function catalogueCaches({ database, fetchInProcess }: Provider, products: Product[]): Record<string, [string, Uses]> {
  const { db } = database
  const options = { max: 1_000_000, changedBy: () => true }
  const [totals, lists] = [openQueryCache<Found>(database, options), openQueryCache<Product[]>(database, options)]
  const suggested = openQueryCache<Suggestions>(database, options)
  const cached = openProductCache(database)
  // Products are not cached unless changes are reported.
  const uncached = openProductCache({ db, onChange: () => Promise.reject(new Error('changes are not reported')) })
  const ids = products.map(({ _id }) => _id)
  const [id] = ids as [string]
  const responses = cacheResponses(fetchInProcess)
  const fetchShared = (fetch: typeof responses.fetch) => () =>
    Promise.all(
      [getCategories, getBanners, getPriceRange].map(async ({ path }) =>
        fetch(new Request(`http://localhost/api${path}`)),
      ),
    )
  return {
    'suggestions (`suggested`, `routes.ts`)': [
      'suggestions for two letters',
      [() => readSuggestions(db, suggested, { value: 'bi' }), () => readSuggestions(db, NO_CACHE, { value: 'bi' })],
    ],
    'products of listings (`product-cache.ts`)': [
      'listing, data of its page',
      [() => cached.of(ids), () => uncached.of(ids)],
    ],
    'common responses (`response-cache.ts`)': [
      'listing, data of its page',
      [fetchShared(responses.fetch), fetchShared(fetchInProcess)],
    ],
    'totals and filters (`totals`, `routes.ts`)': [
      'listing, data of its page',
      [() => queryProducts(db, totals, LISTED, cached), () => queryProducts(db, NO_CACHE, LISTED, cached)],
    ],
    'related products (`lists`, `routes.ts`)': [
      'product, data of its page',
      [() => readProduct(db, { id }, lists), () => readProduct(db, { id }, NO_CACHE)],
    ],
    'option index (`option-sets.ts`)': [
      'listing with a filter, counted again',
      [() => currentOptionIndex(db)().loadAll(), () => createOptionIndex(db).loadAll()],
    ],
    'synonyms (`current-synonyms.ts`)': [
      'search, counted again',
      [() => currentSynonyms(db), async () => readSynonyms(await listSynonyms(db))],
    ],
  }
}

/** Medians. Both uses in turn, so that other work on the machine slows both down. */
async function timeInTurn(runs: number, [cached, uncached]: Uses): Promise<[cached: number, uncached: number]> {
  const times: [number[], number[]] = [[], []]
  for (let at = 0; at < WARM_RUNS + runs; at += 1) {
    times[0].push(...(await timesOf(1, async () => cached())))
    times[1].push(...(await timesOf(1, async () => uncached())))
  }
  const [first, second] = times.map(each => microseconds(each.slice(WARM_RUNS))) as [number, number]
  return [first, second]
}

/** The median of times in ms, in µs with three digits. */
function microseconds(times: number[]): number {
  const sorted = times.toSorted((one, other) => one - other)
  return Number((quantile(sorted, 0.5) * 1000).toPrecision(3))
}
