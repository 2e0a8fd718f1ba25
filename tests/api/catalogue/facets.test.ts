import { afterAll, describe, expect, test } from 'vitest'
import type { ProductQuery } from '#contract/catalogue.ts'
import type { ChosenFilter } from '#contract/filters.ts'
import { percentOff } from '#contract/rules.ts'
import { addProduct, addSeller } from '#tests/support/catalogue/catalogue.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, database, api, close } = await startProvider()
afterAll(close)

type Part = Parameters<typeof addProduct>[1]

const of = (size: string) => ({ options: [['Size', size]] as [name: string, value: string][] })

async function addAll(category: string, parts: Record<string, Part>, sellerId?: string) {
  const seller = sellerId ?? (await addSeller(db)).id
  for (const [name, part] of Object.entries(parts)) await addProduct(db, { name, category, sellerId: seller, ...part })
  await database.settled()
}

/** Filters written as in an address: 'option.size=43&brand=Ada'. */
function chosen(query: string): ChosenFilter[] {
  const byName = Map.groupBy(new URLSearchParams(query), ([name]) => name)
  return Array.from(byName, ([name, pairs]) => ({ name, values: pairs.map(([, value]) => value) }))
}

async function list(category: string, filters = '', more: Partial<ProductQuery> = {}) {
  const { products } = await api.queryProducts({ category, ...more, filters: chosen(filters) })
  return { names: products.map(({ name }) => name).toSorted() }
}

describe('the facets of a list', () => {
  test('count and sort discounts by what they really take off, as the badges do', async () => {
    // Discounts are whole dollars: 10 % of $19.99 is one dollar, 5 %.
    await addAll('Real', {
      little: { discount: 10, priceCents: 1999 },
      nothing: { discount: 60, priceCents: 150 },
      tenth: { discount: 10, priceCents: 2000 },
      most: { discount: 30, priceCents: 1100 },
    })

    const { products, facets } = await api.queryProducts({ category: 'Real', sort: 'biggest-discount' })

    expect(products.map(product => [product.name, percentOff(product)])).toEqual([
      ['most', 27],
      ['tenth', 10],
      ['little', 5],
      ['nothing', 0],
    ])
    expect((await list('Real', '', { discount: 10 })).names).toEqual(['most', 'tenth'])
    expect((await list('Real', '', { discount: 28 })).names).toEqual([])
    expect(facets?.discounts).toMatchObject([{ percent: 10, count: 2 }, { count: 1 }, { count: 0 }])
  })

  test('name the exact price of the cheapest product, whatever the price filter', async () => {
    await addAll('Cents', { cheap: { priceCents: 2050 }, dear: { priceCents: 2999 } })

    const { facets } = await api.queryProducts({ category: 'Cents', highPrice: 10 })

    expect(facets).toMatchObject({ priceRange: { low: 20.5, high: 30, end: 30 } })
  })

  test('narrow a list by shop, discount, stock and country, each counted regardless of its own choice', async () => {
    const near = await addSeller(db, { shopName: 'Near', shippingRates: { Kenya: 300 } })
    const far = await addSeller(db, { shopName: 'Far', shippingRates: { France: 900 } })
    await addAll(
      'Facets',
      {
        half: { discount: 50, priceCents: 2000, rating: 4.5 },
        quarter: { discount: 25, priceCents: 4000, rating: 4 },
        gone: { stock: 0, priceCents: 8000, rating: 3 },
      },
      near.id,
    )
    await addAll('Facets', { own: { priceCents: 900_00, shippingPrices: { Kenya: 1 } }, far: {} }, far.id)
    const find = async (query: Partial<ProductQuery>, filters = '') => (await list('Facets', filters, query)).names
    const facetsOf = async (query: Partial<ProductQuery>, filters = '') =>
      (await api.queryProducts({ category: 'Facets', ...query, filters: chosen(filters) })).facets

    expect(await find({ discount: 10 })).toEqual(['half', 'quarter'])
    expect(await find({ discount: 26 })).toEqual(['half'])
    expect(await find({ inStock: true })).toEqual(['far', 'half', 'own', 'quarter'])
    expect(await find({ shipsTo: 'Kenya' })).toEqual(['gone', 'half', 'own', 'quarter'])
    expect(await find({ shipsTo: 'France', inStock: true }, `shop=${far.id}&shop=${near.id}`)).toEqual(['far', 'own'])
    expect(await find({ shipsTo: 'Nowhere' })).toEqual([])
    expect(await facetsOf({ discount: 50, rating: 4 })).toMatchObject({
      ratings: [
        { rating: 5, count: 0 },
        { rating: 4, count: 1 },
        { rating: 3, count: 0 },
        { rating: 2, count: 0 },
        { rating: 1, count: 0 },
      ],
      discounts: [
        { percent: 10, count: 2 },
        { percent: 25, count: 2 },
        { percent: 50, count: 1 },
      ],
      inStock: 1,
      priceRange: { low: 10, high: 10, end: 10 },
    })
    expect(await facetsOf({ highPrice: 30 })).toMatchObject({
      inStock: 3,
      // One dear product does not stretch the scale.
      priceRange: { low: 10, high: 900, end: 80 },
    })
    expect((await api.getPriceRange({})).destinations).toEqual(expect.arrayContaining(['France', 'Kenya']))
    const shops = await api.queryProducts({ category: 'Facets', filters: chosen(`shop=${far.id}&shop=gone`) })
    expect(shops.filters).toContainEqual({
      name: 'shop',
      title: 'Shop',
      values: [
        { value: near.id, label: 'Near', count: 3 },
        { value: far.id, label: 'Far', count: 2 },
        { value: 'gone', label: 'gone', count: 0 },
      ],
    })
    expect(await api.countProducts({ category: 'Facets', discount: 10, page: 3 })).toEqual({ total: 2 })
  })

  test('count only products with a variant of the chosen size and price', async () => {
    await addAll('Sizes', {
      fits: { variants: [{ ...of('43'), priceCents: 2000, discount: 50 }] },
      dear: { variants: [{ ...of('43'), priceCents: 9000 }] },
      other: { variants: [{ ...of('44'), priceCents: 2000 }] },
    })
    const query = { category: 'Sizes', highPrice: 50, filters: chosen('option.size=43') }

    expect((await api.queryProducts(query)).facets).toMatchObject({
      discounts: [{ count: 1 }, { count: 1 }, { count: 1 }],
      inStock: 1,
      priceRange: { low: 10, high: 90 },
    })
    expect(await list('Sizes', 'option.size=43', { highPrice: 50, discount: 10, rating: 4 })).toMatchObject({
      names: [],
    })
  })

  test.each(["'", '%', '{}', "Kenya' or '1'='1", '__proto__', '$1', '😀', '?', 'x'.repeat(100)])(
    'find nothing for the country %j',
    async country => {
      expect((await list('Sizes', '', { shipsTo: country })).names).toEqual([])
    },
  )
})
