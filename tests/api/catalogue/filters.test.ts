import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { queryProducts } from '#contract/catalogue.ts'
import type { ProductQuery } from '#contract/catalogue.ts'
import type { ChosenFilter, OfferedFilter } from '#contract/filters.ts'
import { optionSets, products, variants } from '#server/db/schema.ts'
import { transact } from '#server/db/transact.ts'
import { removeUnusedOptionSets } from '#server/catalogue/upkeep.ts'
import { listMiscounted } from '#server/operators/data-checks.ts'
import { addProduct, addSeller, setVariants } from '#tests/support/catalogue/catalogue.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, database, api, pagesApi, request, close } = await startProvider()
afterAll(close)
type NewVariant = Partial<typeof variants.$inferInsert>
type Part = Parameters<typeof addProduct>[1]

/** A variant with these options: 'Size 43, Colour Blue'. */
function variant(options: string, more: NewVariant = {}): NewVariant {
  const pairs = options.split(', ').map((option): [string, string] => {
    const at = option.indexOf(' ')
    return [option.slice(0, at), option.slice(at + 1)]
  })
  return { options: pairs, ...more }
}

async function addAll(category: string, parts: Record<string, Part>, sellerId?: string) {
  const seller = sellerId ?? (await addSeller(db)).id
  const added: Record<string, Awaited<ReturnType<typeof addProduct>>> = {}
  for (const [name, part] of Object.entries(parts))
    added[name] = await addProduct(db, { name, category, sellerId: seller, ...part })
  await database.settled()
  return added
}

/** Filters written as in an address: 'option.size=43&brand=Ada'. */
function chosen(query: string): ChosenFilter[] {
  const byName = Map.groupBy(new URLSearchParams(query), ([name]) => name)
  return Array.from(byName, ([name, pairs]) => ({ name, values: pairs.map(([, value]) => value) }))
}

async function list(category: string, filters = '', more: Partial<ProductQuery> = {}) {
  const query = { category, ...more, filters: chosen(filters) }
  const found = await api.queryProducts(query)
  expect(await pagesApi.queryProducts(query)).toMatchObject({ total: found.total, filters: found.filters })
  expect(found.products).toHaveLength(Math.min(found.total, 12))
  return { names: found.products.map(({ name }) => name).toSorted(), offered: textOf(found.filters) }
}

/** The offered filters: { Size: '42 (1), 43 (2)' }. */
function textOf(filters: OfferedFilter[]) {
  const texts = filters.map(({ title, values }) => [title, values.map(({ value, count }) => `${value} (${count})`)])
  return Object.fromEntries(texts.map(([title, values]) => [title, (values as string[]).join(', ')]))
}

describe('a filtered list', () => {
  test('has the products with any of the values of each filter', async () => {
    await addAll('Shoes', {
      low: { brand: 'Ada', variants: [variant('Size 42, Colour Blue'), variant('Size 43, Colour Blue')] },
      high: { brand: 'Bea', variants: [variant('Size 43, Colour Red')] },
      boot: { brand: 'Cleo', variants: [variant('Size 44, Colour Blue')] },
      sock: { brand: 'Ada' },
    })

    expect((await list('Shoes', 'option.size=43')).names).toEqual(['high', 'low'])
    expect((await list('Shoes', 'option.size=43&option.size=44')).names).toEqual(['boot', 'high', 'low'])
    expect((await list('Shoes', 'option.size=43&option.size=44&option.colour=Blue')).names).toEqual(['boot', 'low'])
    expect((await list('Shoes', 'option.size=43&brand=Bea&brand=Cleo')).names).toEqual(['high'])
    expect((await list('Shoes', 'brand=Ada')).names).toEqual(['low', 'sock'])
  })

  test('counts the products for each value, beside the other filters but not its own', async () => {
    expect((await list('Shoes')).offered).toEqual({
      Size: '42 (1), 43 (2), 44 (1)',
      Colour: 'Blue (2), Red (1)',
      Brand: 'Ada (2), Bea (1), Cleo (1)',
    })
    expect((await list('Shoes', 'option.size=43')).offered).toEqual({
      Size: '42 (1), 43 (2), 44 (1)',
      Colour: 'Blue (1), Red (1)',
      Brand: 'Ada (1), Bea (1)',
    })
    expect((await list('Shoes', 'option.size=43&option.colour=Red&brand=Bea')).offered).toEqual({
      Size: '43 (1)',
      Colour: 'Red (1)',
      Brand: 'Bea (1)',
    })
    expect((await list('Shoes', 'option.colour=Red&brand=Ada')).offered).toEqual({
      Colour: 'Blue (1), Red (0)',
      Brand: 'Bea (1), Ada (0)',
    })
  })

  test('needs one variant with all chosen values that can be bought', async () => {
    const { apart } = await addAll('One', {
      apart: { variants: [variant('Size 43, Colour Red'), variant('Size 42, Colour Blue')] },
      together: { variants: [variant('Size 43, Colour Blue'), variant('Size 42, Colour Red')] },
      'sold out': { variants: [variant('Size 43, Colour Blue', { stock: 0 }), variant('Size 42, Colour Red')] },
      'on order': { variants: [variant('Size 43, Colour Blue', { stock: 0, sellsWithoutStock: true })] },
    })
    const filters = 'option.size=43&option.colour=Blue'

    expect((await list('One', filters)).names).toEqual(['on order', 'together'])
    expect((await list('One', 'option.size=43')).offered).toMatchObject({
      Size: '42 (3), 43 (3)',
      Colour: 'Blue (2), Red (1)',
    })

    await setVariants(db, apart!, {
      options: [
        ['Size', '43'],
        ['Colour', 'Blue'],
      ],
    })
    await database.settled()
    expect((await list('One', filters)).names).toEqual(['apart', 'on order', 'together'])
  })

  test('needs the price of such a variant in the range', async () => {
    await addAll('Prices', {
      'same price': { variants: [variant('Size 42'), variant('Size 43')], priceCents: 2000 },
      'dear 43': { variants: [variant('Size 42', { priceCents: 2000 }), variant('Size 43', { priceCents: 9000 })] },
      'cheap 43': { variants: [variant('Size 42', { priceCents: 9000 }), variant('Size 43', { priceCents: 2000 })] },
    })

    const cheap = await list('Prices', 'option.size=43', { highPrice: 50 })
    expect(cheap.names).toEqual(['cheap 43', 'same price'])
    expect(cheap.offered).toMatchObject({ Size: '42 (2), 43 (2)' })
    expect((await list('Prices', 'option.size=43', { lowPrice: 50 })).names).toEqual(['dear 43'])
    expect((await list('Prices', 'option.size=43&option.size=42', { lowPrice: 50 })).names).toEqual([
      'cheap 43',
      'dear 43',
    ])
    expect((await list('Prices', '', { lowPrice: 50 })).names).toEqual([])
    expect((await list('Prices', '', { lowPrice: 50 })).offered).toEqual({ Size: '42 (1), 43 (1)' })
  })

  test('takes names of options and values in any spelling as the same', async () => {
    await addAll('Spelling', {
      one: { brand: 'ADA', variants: [variant('Color blue')] },
      two: { brand: 'Ada', variants: [variant('colour Blue')] },
      three: { brand: 'Ada', variants: [variant('Colour Blue')] },
      four: { brand: 'Bea', variants: [variant('Colour  Red')] },
    })

    expect((await list('Spelling')).offered).toEqual({ Colour: 'Blue (3), Red (1)', Brand: 'Ada (3), Bea (1)' })
    for (const written of ['option.colour=BLUE', 'option.Color=%20blue', 'option.COLOR=Blue'])
      expect((await list('Spelling', `${written}&brand=aDa`)).names).toEqual(['one', 'three', 'two'])
  })

  test('offers what can be chosen within the category, the search and the other filters', async () => {
    await addAll('Coats', { 'Winter coat': { rating: 4.5, variants: [variant('Size M'), variant('Size L')] } })
    await addAll('Hats', {
      'Winter hat': { variants: [variant('Size S')] },
      'Summer hat': { variants: [variant('Size XL')] },
    })

    expect((await list('Coats')).offered).toEqual({ Size: 'M (1), L (1)' })
    expect((await list('Hats', '', { search: 'winter' })).offered).toEqual({})
    const { filters: winterFilters } = await api.queryProducts({ search: 'winter' })
    expect(textOf(winterFilters)).toMatchObject({ Size: 'S (1), M (1), L (1)' })
    // A season puts the hats for it first, and leaves the others in the list.
    expect(
      textOf((await api.queryProducts({ search: 'summre hat', filters: chosen('option.size=XL') })).filters),
    ).toEqual({ Size: 'S (1), XL (1)' })
    expect((await list('Coats', '', { rating: 3 })).offered).toEqual({})
  })

  test('lists the chosen values that no product has, without any', async () => {
    expect(await list('Coats', 'option.size=7&option.cut=Wide&brand=Nobody')).toEqual({
      names: [],
      offered: { Cut: 'Wide (0)', Size: '7 (0)', Brand: 'Nobody (0)' },
    })
  })

  test('is sorted and split into pages as every list', async () => {
    const many = Array.from({ length: 15 }, (_, at) => [
      `P${String(at).padStart(2, '0')}`,
      { priceCents: 1000 + at, variants: [variant(`Size ${at % 5 === 0 ? 'S' : 'M'}`)] },
    ])
    await addAll('Many', Object.fromEntries(many))
    const pageOf = async (page: number) => {
      const query = { category: 'Many', filters: chosen('option.size=M'), sort: 'high-to-low', page } as const
      const found = await api.queryProducts(query)
      return { names: found.products.map(({ name }) => name), total: found.total }
    }

    expect((await pageOf(1)).names.slice(0, 4)).toEqual(['P14', 'P13', 'P12', 'P11'])
    expect(await pageOf(1)).toMatchObject({ total: 12 })
    expect(await pageOf(2)).toEqual({ names: [], total: 12 })
  })

  test('shows only visible products', async () => {
    const { hidden } = await addAll('Hiding', {
      shown: { variants: [variant('Size S')] },
      hidden: { isHidden: true, variants: [variant('Size S')] },
      other: { variants: [variant('Size M')] },
    })

    expect(await list('Hiding', 'option.size=S')).toMatchObject({ names: ['shown'], offered: { Size: 'S (1), M (1)' } })
    await db.update(products).set({ isHidden: false }).where(eq(products.id, hidden!.id))
    await database.settled()
    expect((await list('Hiding', 'option.size=S')).names).toEqual(['hidden', 'shown'])
  })
})

test('a shop lists its own products by its own filters', async () => {
  const { id: sellerId } = await addSeller(db)
  await addAll('Here', { tee: { brand: 'Ada', variants: [variant('Size S'), variant('Size M')] } }, sellerId)
  await addAll('There', { mug: { brand: 'Bea' } }, sellerId)

  const all = await api.getSellerProducts({ sellerId })
  const filtered = await api.getSellerProducts({ sellerId, filters: chosen('option.size=S&option.size=M') })

  expect(all).toMatchObject({ total: 2, seller: { productCount: 2 } })
  expect(textOf(all.filters)).toEqual({ Size: 'S (1), M (1)', Brand: 'Ada (1), Bea (1)' })
  expect(filtered).toMatchObject({ total: 1, products: [{ name: 'tee' }], seller: { productCount: 2 } })
  expect((await api.getSellerProducts({ sellerId, filters: chosen('brand=Cleo') })).total).toBe(0)
})

describe('the query of the API', () => {
  const ask = async (query: string) => {
    const answer = await request(`/api${queryProducts.path}?category=Shoes&${query}`)
    const { totalProduct, error } = (await answer.json()) as { totalProduct?: number; error?: string }
    return error ?? totalProduct
  }

  test('takes repeated parameters, and ignores empty and unknown ones', async () => {
    expect(await ask('option.size=43&option.size=44')).toBe(3)
    expect(await ask('option.Size=43&option.size=43')).toBe(2)
    expect(await ask('option.size=&brand=&options.size=43&utm=1&utm=2')).toBe(4)
  })

  test('rejects malformed values, and more than anyone chooses', async () => {
    const values = Array.from({ length: 31 }, (_, at) => `option.size=${at}`).join('&')

    expect(await ask('option.size=%00')).toBe('option.size must not contain characters that cannot be stored')
    expect(await ask(`brand=${'x'.repeat(256)}`)).toBe('brand must be at most 255 characters')
    expect(await ask('option.-=x')).toBe('option.- names no option')
    expect(await ask(`option.${'x'.repeat(256)}=x`)).toBe('No option has more than 255 characters')
    expect(await ask(values)).toBe('At most 30 values can be chosen')
  })

  test.each(["'", '"', '\\', '%', '{}', '{43}', '43,44', "43' or '1'='1", '__proto__', '$1', '😀', ']]'])(
    'finds nothing for the value %j',
    async value => {
      for (const name of ['option.size', 'option.__proto__', 'option.constructor', 'brand'])
        expect(await ask(new URLSearchParams([[name, value]]).toString())).toBe(0)
    },
  )
})

test('values and names that are hostile are offered as they are', async () => {
  const odd = `<b>'"{},\\ % 😀`
  await addAll('Odd', {
    one: {
      brand: '__proto__',
      variants: [
        {
          options: [
            ['__proto__', odd],
            ['***', 'x'],
          ],
        },
      ],
    },
    two: { brand: 'constructor', variants: [{ options: [['Size', '  ']] }] },
  })

  expect((await api.queryProducts({ category: 'Odd' })).filters).toMatchObject([
    { name: 'option.proto', title: '__proto__', values: [{ value: odd, count: 1 }] },
    { name: 'brand', values: [{ value: '__proto__' }, { value: 'constructor' }] },
  ])
  const filters = [
    { name: 'option.proto', values: [odd] },
    { name: 'brand', values: ['__proto__'] },
  ]
  expect((await api.queryProducts({ category: 'Odd', filters })).total).toBe(1)
})

test('products share the rows of their options, and unused rows are deleted', async () => {
  const rowsOf = () => db.$count(optionSets)
  const { first, second } = await addAll('Sharing', {
    first: { variants: [variant('Size 1'), variant('Size 2')] },
    second: { variants: [variant('Size 2'), variant('Size 1')] },
  })
  await transact(db, removeUnusedOptionSets)
  const before = await rowsOf()
  await db.update(variants).set({ stock: 0 }).where(eq(variants.id, first!.variantId))
  expect(await rowsOf()).toBe(before + 1)
  await db.update(variants).set({ stock: 5 }).where(eq(variants.id, first!.variantId))

  await transact(db, removeUnusedOptionSets)
  await database.settled()

  expect(await rowsOf()).toBe(before)
  expect((await list('Sharing')).offered).toEqual({ Size: '1 (2), 2 (2)' })
  const miscounted = await listMiscounted(db)
  expect(miscounted.filter(slug => [first!.slug, second!.slug].includes(slug))).toEqual([])
})
