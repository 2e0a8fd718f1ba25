import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { LISTING_QUERY, pageUrl, STORE_QUERY } from '#contract/page-urls.ts'
import { LISTING_SORTS } from '#contract/rules.ts'
import { fakePages } from '#tests/support/pages.ts'

const ADDRESSES = 1000
const MAX_BYTES = 400_000
const SHARE = MAX_BYTES / 4
/** What shoppers come to first. */
const IMPORTANT = [
  '/',
  '/products',
  '/stores',
  ...['Audio', 'Bags', 'Home+%26+Garden'].map(name => `/products?category=${name}`),
  ...['kite', 'lamp', 'shoe', 'tent', 'vase'].map(slug => `/product/details/${slug}`),
  '/stores/toy-box/0198',
]
const TEXT = 'A list with the same words again and again. '.repeat(100)

async function openShop() {
  const shop = fakePages(url => ({ text: TEXT, tags: ['categories', url] }), { maxBytes: MAX_BYTES })
  for (const url of IMPORTANT) await shop.ask(url)
  return { ...shop, before: shop.pages.size() }
}

async function statesOf(ask: Awaited<ReturnType<typeof openShop>>['ask'], urls: string[]) {
  const states: unknown[] = []
  for (const url of urls) states.push((await ask(url)).headers['x-cache'])
  return states
}

const word = fc.stringMatching(/^[A-Za-z0-9 &é]{0,8}[a-z]$/).filter(text => text.trim() === text)
const filters = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('brand', 'shop', 'option.size', 'option.colour'),
    values: fc.array(word, { minLength: 1, maxLength: 3 }),
  }),
  { minLength: 1, selector: ({ name }) => name },
)
const choice = {
  category: fc.constantFrom('Audio', 'Bags'),
  sort: fc.constantFrom(...LISTING_SORTS),
  page: fc.integer({ min: 2, max: 900 }),
  layout: fc.constant('list' as const),
}
/** Each of these parameters alone makes a filtered or searched list. */
const narrowing = {
  search: word,
  rating: fc.integer({ min: 1, max: 5 }),
  discount: fc.integer({ min: 1, max: 100 }),
  inStock: fc.boolean(),
  shipsTo: word,
  lowPrice: fc.integer({ min: 1, max: 100 }),
  highPrice: fc.integer({ min: 100, max: 9000 }),
  literal: fc.boolean(),
  filters,
}
type Narrowing = keyof typeof narrowing
const narrowedList = fc
  .constantFrom(...(Object.keys(narrowing) as Narrowing[]))
  .chain(name => fc.record({ ...choice, ...narrowing }, { requiredKeys: [name] }))
  .map(values => pageUrl('/products', LISTING_QUERY, values))
const narrowedShop = fc
  .constantFrom('search', 'filters')
  .chain(name => fc.record({ ...choice, search: word, filters }, { requiredKeys: [name as 'search'] }))
  .map(({ category, ...values }) => pageUrl('/stores/toy-box/0198', STORE_QUERY, values))

test('the store keeps no page that filters and searches make', async () => {
  const { ask, pages, before } = await openShop()
  const addresses = fc.sample(fc.oneof(narrowedList, narrowedShop), ADDRESSES)
  expect(new Set(addresses).size).toBeGreaterThan(ADDRESSES / 2)

  const states = await statesOf(ask, addresses)

  expect(new Set(states)).toEqual(new Set(['MISS']))
  expect(pages.size()).toEqual(before)
})

test('the store keeps orders, layouts and pages of lists within their share, and beside them what shoppers come to first', async () => {
  const { ask, pages, before } = await openShop()
  const addresses = Array.from({ length: ADDRESSES }, (_, at) =>
    pageUrl('/products', LISTING_QUERY, {
      category: at % 3 ? 'Audio' : undefined,
      sort: LISTING_SORTS[at % LISTING_SORTS.length],
      layout: at % 2 ? 'list' : 'grid',
      page: 2 + Math.floor(at / 10),
    }),
  )

  for (const address of addresses) await ask(address)

  expect(pages.size().bytes).toBeGreaterThan(before.bytes)
  expect(pages.size().bytes).toBeLessThanOrEqual(before.bytes + SHARE)
  expect(pages.size().tags).toBe(pages.size().pages + 1)
  expect(await statesOf(ask, addresses.slice(-3))).toEqual(['HIT', 'HIT', 'HIT'])
  expect(await statesOf(ask, addresses.slice(0, 3))).toEqual(['MISS', 'MISS', 'MISS'])
  expect(await statesOf(ask, IMPORTANT)).toEqual(IMPORTANT.map(() => 'HIT'))
})
