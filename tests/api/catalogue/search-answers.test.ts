import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { ProductQuery } from '#contract/catalogue.ts'
import { addProduct, addSeller, addShoe } from '#tests/support/catalogue/catalogue.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, database, api, close } = await startProvider()
afterAll(close)
const market = operatorOf({ database })

async function addAll(category: string, parts: Parameters<typeof addProduct>[1][]) {
  const { id: sellerId } = await addSeller(db)
  for (const part of parts) await addProduct(db, { category, sellerId, ...part })
  await database.settled()
}

describe('the answer to a search', () => {
  test('finds products with most of the words if none has all, and says so', async () => {
    await addAll('Partial', [{ name: 'Violin case' }, { name: 'Cello' }])

    const found = await api.queryProducts({ category: 'Partial', search: 'violin trombone' })

    expect(found).toMatchObject({ isPartial: true, products: [{ name: 'Violin case' }] })
    expect(await api.queryProducts({ category: 'Partial', search: 'cello' })).toMatchObject({ isPartial: false })
  })

  test('says which correction it made, and searches for what was typed when asked', async () => {
    await addAll('Literal', [{ name: 'Metronome' }])

    expect(await api.queryProducts({ category: 'Literal', search: 'metrnome' })).toMatchObject({
      correctedSearch: 'metronome',
      products: [{ name: 'Metronome' }],
    })
    expect(await api.queryProducts({ category: 'Literal', search: 'metrnome', literal: true })).toMatchObject({
      total: 0,
    })
  })

  test('names the variant that a search or a filter asks for, if another one is shown first', async () => {
    const product = await addShoe(
      db,
      { 36: {}, 42: {}, 43: {}, 44: { stock: 0 } },
      { name: 'Runner', category: 'Runners' },
    )
    await database.settled()
    const named = async (query: Partial<ProductQuery>) => {
      const { products: found } = await api.queryProducts({ category: 'Runners', ...query })
      const { product: whole } = await api.getProduct({ id: product.id })
      const { variantId } = found.find(({ _id }) => _id === product.id)!
      return whole.variants.find(({ _id }) => _id === variantId)?.options['Size']
    }

    expect(await named({ search: 'runner size 43' })).toBe('43')
    expect(await named({ filters: [{ name: 'option.size', values: ['42', '43'] }] })).toBe('42')
    expect(await named({ search: 'runner size 36' })).toBeUndefined()
    expect(await named({ search: 'runner size 44' })).toBeUndefined()
    expect(await named({})).toBeUndefined()
  })

  test('finds gardeners’ goods for ‘garden’', async () => {
    await addAll('Hands', [{ name: 'Gardener’s gloves' }, { name: 'Ski gloves' }])

    const { products } = await api.queryProducts({ category: 'Hands', search: 'garden' })

    expect(products).toMatchObject([{ name: 'Gardener’s gloves' }])
  })

  test('treats an expression that has synonyms as one term', async () => {
    await addAll('Expressions', [{ name: 'Linen dress' }, { name: 'Towelling bathrobe' }])

    const { products } = await api.queryProducts({ category: 'Expressions', search: 'dressing gown' })

    expect(products.map(({ name }) => name)).toEqual(['Towelling bathrobe'])
  })

  test.each([
    ['rug', 'Rugby ball', 'a longer word'],
    ['bath towel', 'Cricket bat', 'a word with one letter less'],
    ['coat rack', 'Track stopwatch', 'a word that only ends alike'],
    ['king size duvet', 'Walking boots', 'an ending that is no word of its own'],
    ['vinyl records', 'Soprano recorder', 'another noun of the same stem', '<p>A recorder of pearwood.</p>'],
    ['organ', 'Organic jersey', 'another word of the same stem', '<p>Organic cotton.</p>'],
    ['pedal', 'Petal blouse', 'a word that differs in one letter'],
    ['pearl earrings', 'Earl grey tea', 'a word that lacks one letter'],
    ['blue kayak', 'Blue bowl', 'its colour alone'],
    ['dumbbells', 'Alpine cheese', 'what a description mentions', '<p>The weight of a wheel: 6 kg.</p>'],
    ['cushion cover', 'Street basketball', 'one of two words in a description', '<p>A grippy cover for outdoors.</p>'],
  ])('does not take %j for %s: %s', async (search, name, what, description = '') => {
    await addAll(what, [{ name, description }])

    expect(await api.queryProducts({ category: what, search })).toMatchObject({ total: 0 })
  })

  test('doubles a letter that was typed only once', async () => {
    await addAll('Letters', [{ name: 'Over-ear headphones' }, { name: 'Pearl earrings' }])

    const found = await api.queryProducts({ category: 'Letters', search: 'earings' })

    expect(found).toMatchObject({ correctedSearch: 'earrings', products: [{ name: 'Pearl earrings' }] })
  })

  test('shows the goods that the last word names before what has only the other words', async () => {
    await addAll('Goods', [{ name: 'Desk microphone, USB-C' }, { name: 'Braided charging cable' }])

    const { products } = await api.queryProducts({ category: 'Goods', search: 'usb c charger' })
    expect(products[0]).toMatchObject({ name: 'Braided charging cable' })
  })

  test('finds T-shirts but no shirts for “t-shirt”, which no product has in its name', async () => {
    await addAll('Shirts', [{ name: 'Striped shirt' }, { name: 'Everyday tee' }])

    for (const search of ['t-shirt', 'T-Shirts', 'tshirt', 't shirt'])
      expect((await api.queryProducts({ category: 'Shirts', search })).products).toMatchObject([
        { name: 'Everyday tee' },
      ])
  })

  test('finds similar products if nobody sells the one that was searched for, and says so', async () => {
    await addAll('Near', [{ name: 'Straight jeans' }, { name: 'Straw hat' }])

    const found = await api.queryProducts({ category: 'Near', search: 'mens trousers' })

    expect(found).toMatchObject({ isPartial: true, products: [{ name: 'Straight jeans' }] })
    await addAll('Near', [{ name: 'Pleated trousers' }])
    expect(await api.queryProducts({ category: 'Near', search: 'trousers' })).toMatchObject({
      isPartial: false,
      products: [{ name: 'Pleated trousers' }],
    })
  })

  test('has a plain piano before a keyboard for typing, and the other way round', async () => {
    await addAll('Keys', [
      { name: 'Compact digital piano for small flats and late hours' },
      { name: 'Mechanical keyboard', unitsSold: 400, rating: 5, ratingCount: 90 },
    ])
    const first = async (search: string) => (await api.queryProducts({ category: 'Keys', search })).products[0]?.name

    expect(await first('piano')).toMatch(/piano/)
    expect(await first('keyboard')).toMatch(/keyboard/)
  })

  test('adds products of the sought kind to those that have all words in their descriptions only', async () => {
    await addAll('Kinds', [
      { name: 'Steel lamp', description: '<p>With a plug and an infrared cable.</p>' },
      { name: 'Braided cable' },
      { name: 'Straw hat' },
    ])

    const { products } = await api.queryProducts({ category: 'Kinds', search: 'infrared cable' })

    expect(products.map(({ name }) => name)).toEqual(['Steel lamp', 'Braided cable'])
  })

  test('takes the beginning of a word for it only if no product has the word', async () => {
    await addAll('Beginnings', [{ name: 'Copper panel' }, { name: 'Iron pan' }])

    const { products } = await api.queryProducts({ category: 'Beginnings', search: 'copper pan' })

    expect(products.map(({ name }) => name)).toEqual(['Iron pan'])
  })

  test('takes what follows ‘for’ for a description of the goods before it', async () => {
    await addAll('Details', [{ name: 'Wine rack' }, { name: 'Crystal glasses' }])

    const { products } = await api.queryProducts({ category: 'Details', search: 'glasses for wine' })

    expect(products.map(({ name }) => name)[0]).toBe('Crystal glasses')
  })

  test('does not look for the price in ‘under 50’ among the words of products', async () => {
    await addAll('Prices', [{ name: 'Ocarina' }])

    const found = await api.queryProducts({ category: 'Prices', search: 'ocarina under 50' })

    expect(found).toMatchObject({ isPartial: false, products: [{ name: 'Ocarina' }] })
  })

  test.each(['lyre under $50', 'lyre less than 50 dollars', 'lyre cheaper than 49.99'])(
    'shows what costs as little as ‘%s’ says before the others, and takes no word of the price for a misspelling',
    async search => {
      await addAll(search, [
        { name: 'Dollar lyre, led', priceCents: 9000, unitsSold: 500, rating: 5, ratingCount: 90 },
        { name: 'Lyre made of driftwood', priceCents: 9000, discount: 50 },
      ])

      const { products, correctedSearch, mostCents } = await api.queryProducts({ category: search, search })

      expect(products.map(({ name }) => name)).toEqual(['Lyre made of driftwood', 'Dollar lyre, led'])
      expect(mostCents).toBe(search.includes('49.99') ? 4999 : 5000)
      expect(correctedSearch).toBeUndefined()
    },
  )

  test('shows whatever costs as little as the search says before what fits better and costs more', async () => {
    await addAll('Gifts', [
      { name: 'Singer', priceCents: 9000, unitsSold: 500, rating: 5, ratingCount: 90 },
      { name: 'Flautist badge', priceCents: 2000 },
      { name: 'Metronome for a flautist', priceCents: 2500, stock: 0 },
    ])

    const { products } = await api.queryProducts({ category: 'Gifts', search: 'gift for flautist singer under $30' })

    expect(products.map(({ name }) => name)).toEqual(['Flautist badge', 'Metronome for a flautist', 'Singer'])
  })

  test('shows what costs as little as a search says that names nothing else', async () => {
    await addAll('Only prices', [{ name: 'Lute', priceCents: 90_000 }, { name: 'Kazoo' }])

    const { products } = await api.queryProducts({ category: 'Only prices', search: 'under $20' })

    expect(products.map(({ name }) => name)).toEqual(['Kazoo'])
  })

  test('takes a weight for a property, not for a price', async () => {
    await addAll('Weights', [{ name: 'Anvil, 50 kg' }, { name: 'Anvil, 5 kg', priceCents: 9900 }])

    const { products } = await api.queryProducts({ category: 'Weights', search: 'anvil under 5 kg' })

    expect(products[0]).toMatchObject({ name: 'Anvil, 5 kg' })
  })

  test.each([
    ['ruck sack', 'Snack mix', 'Canvas backpack'],
    ['non stick pan', 'Picture of noon', 'Iron skillet'],
    ['mature gouda', 'Picture of nature', 'Gouda'],
    ['chopping board', 'Shopping basket', 'Beech cutting board'],
    ['iphone', 'Desk phone', 'iPhone 15'],
  ])('does not correct %j to %s', async (search, other, wanted) => {
    await addAll('Joined', [{ name: other }, { name: wanted }])

    const found = await api.queryProducts({ category: 'Joined', search })

    expect(found.products).toMatchObject([{ name: wanted }])
    expect(found.correctedSearch).toBeUndefined()
  })

  test('does not correct a word that other words stand for', async () => {
    await addAll('Plants', [{ name: 'Potting soil' }])

    const { correctedSearch } = await api.queryProducts({ category: 'Plants', search: 'cactus' })
    expect(correctedSearch).toBeUndefined()
  })

  test('offers toys for a child of some age, not what comes in sets of that number', async () => {
    await addAll('Ages', [{ name: 'Bowls, set of six' }, { name: 'Wooden toy' }])

    const { products } = await api.queryProducts({ category: 'Ages', search: 'present for 6 year old' })

    expect(products.map(({ name }) => name)).toEqual(['Wooden toy'])
  })

  test('does not correct a short word to one that begins with another letter', async () => {
    await addAll('Short words', [{ name: 'Soft wool' }])

    const { correctedSearch } = await api.queryProducts({ category: 'Short words', search: 'pool' })

    expect(correctedSearch).toBeUndefined()
  })

  test('has sold-out products last among those that fit equally well', async () => {
    await addAll('Sold out', [{ name: 'Zither, oak', unitsSold: 500, stock: 0 }, { name: 'Zither, pine' }])

    const { products } = await api.queryProducts({ category: 'Sold out', search: 'zither' })

    expect(products.map(({ name }) => name)).toEqual(['Zither, pine', 'Zither, oak'])
  })
})

describe('market search', () => {
  test('lists searches for products that nobody sells, with their number but without personal data', async () => {
    await api.queryProducts({ search: 'Qwertzig!' })
    await api.queryProducts({ search: 'qwertzig' })
    await api.queryProducts({ search: 'qwertzig', sort: 'low-to-high' })
    await api.queryProducts({ search: 'ada@qwertzig.example' })
    await api.queryProducts({ search: '+254 712 345 678' })

    await vi.waitFor(async () => expect((await market('search', 'misses')).out).toBe('2  qwertzig\n'), 10_000)
  })

  test('uses a file of synonyms at once, and none with a mistake', async () => {
    await addAll('Synonyms', [{ name: 'Sousaphone' }])
    const search = () => api.queryProducts({ search: 'marching tuba' })
    expect((await search()).total).toBe(0)
    const file = join(tmpdir(), `synonyms-${randomUUID()}`)
    onTestFinished(() => rm(file, { force: true }))

    await writeFile(file, '# brass\nmarching tuba, sousaphone\n')
    expect(await market('search', 'synonyms', file)).toMatchObject({ code: 0, out: 'The search uses 1 line\n' })
    await database.settled()
    expect((await search()).products).toMatchObject([{ name: 'Sousaphone' }])

    await writeFile(file, 'alone\n')
    expect(await market('search', 'synonyms', file)).toMatchObject({ code: 1, err: expect.stringContaining('line 1') })
    expect((await market('search', 'synonyms')).out).toBe('marching tuba, sousaphone\n')
  })
})
