import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { getSuggestions } from '#contract/suggestions.ts'
import { categories, products, sellers } from '#server/db/schema.ts'
import { addProduct, addSeller, picture } from '#tests/support/catalogue/catalogue.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, database, api, request, close } = await startProvider()
afterAll(close)

async function suggested(value: string, category?: string) {
  await database.settled()
  const { products, categories, sellers } = await api.getSuggestions({ value, category })
  return {
    products: products.map(({ name }) => name),
    categories: categories.map(({ name }) => name),
    shops: sellers.map(({ shopName }) => shopName),
  }
}

const NONE = { products: [], categories: [], shops: [] }

describe('suggestions', () => {
  test('have a product’s name, address, picture and prices', async () => {
    const { id, slug } = await addProduct(db, {
      name: 'Blue kettle',
      pictures: [picture('kettle')],
      variants: [{ priceCents: 5000, discount: 10 }, { priceCents: 8000 }],
    })

    const { products } = await api.getSuggestions({ value: 'kett' })

    const image = `/media/${picture('kettle').hash}/640.webp`
    expect(products).toEqual([{ _id: id, slug, name: 'Blue kettle', image, paidCents: 4500, highestCents: 8000 }])
  })

  test('are found from two letters on, by the beginnings of words in any order', async () => {
    await addProduct(db, { name: 'Walnut sideboard', brand: 'Zephyr' })

    for (const value of ['si', 'SIDEBOARD', 'side waln', 'zeph side', '  wal  ', "wal'"]) {
      expect([value, (await suggested(value)).products]).toEqual([value, ['Walnut sideboard']])
    }
    for (const value of ['', 's', 'board', 'walnut stool']) {
      expect([value, (await suggested(value)).products]).toEqual([value, []])
    }
  })

  test('look for all but the last word in descriptions and options, too, if no name has all', async () => {
    await addProduct(db, { name: 'Sleeveless dirndl', description: '<p>In washed vermilion cotton.</p>' })
    await addProduct(db, { name: 'Kayak', description: '<p>Vermilion, with a dirndl on its bow.</p>' })

    for (const value of ['vermilion dir', 'vermil dirndl']) {
      expect([value, (await suggested(value)).products]).toEqual([value, ['Sleeveless dirndl']])
    }
    expect((await suggested('vermilion s')).products).toEqual([])
  })

  test('look at the first two single letters only', async () => {
    await addProduct(db, { name: 'Quilted oven glove' })

    expect((await suggested('q o z')).products).toEqual(['Quilted oven glove'])
    expect((await suggested('q z o')).products).toEqual([])
  })

  test('show at most six products, the best-selling first', async () => {
    for (let unitsSold = 1; unitsSold <= 8; unitsSold += 1)
      await addProduct(db, { name: `Puzzle ${unitsSold}`, unitsSold })

    const { products } = await suggested('puzz')

    expect(products).toEqual([8, 7, 6, 5, 4, 3].map(sold => `Puzzle ${sold}`))
  })

  test('have up to three categories and three shops', async () => {
    for (const name of ['Lamps', 'Lampshades', 'Lamp oil', 'Lamp bulbs']) {
      const { id } = await addSeller(db, { shopName: `The ${name} Shop`, isVerified: name === 'Lamp bulbs' })
      await addProduct(db, { sellerId: id, name: 'Wick', category: name })
    }

    const { categories, shops } = await suggested('lamp')

    expect(categories).toEqual(['Lamp bulbs', 'Lamp oil', 'Lamps'])
    expect(shops).toHaveLength(3)
    expect(shops[0]).toBe('The Lamp bulbs Shop')
  })

  test('are limited to products of the chosen category', async () => {
    await addProduct(db, { name: 'Copper pan', category: 'Kitchen' })
    await addProduct(db, { name: 'Copper wire', category: 'Tools' })

    expect((await suggested('copp', 'Kitchen')).products).toEqual(['Copper pan'])
    expect((await suggested('copp', 'Nothing such')).products).toEqual([])
  })

  test('never have hidden products, hidden shops or categories without a product', async () => {
    const { id } = await addSeller(db, { shopName: 'Gramophone Barn' })
    const sold = await addProduct(db, { sellerId: id, name: 'Gramophone', category: 'Gramophones' })
    await db.insert(categories).values({ name: 'Gramophone parts' })
    const all = { products: ['Gramophone'], categories: ['Gramophones'], shops: ['Gramophone Barn'] }
    expect(await suggested('gramo')).toEqual(all)

    await db.update(products).set({ isHidden: true }).where(eq(products.id, sold.id))
    expect(await suggested('gramo')).toEqual({ ...NONE, shops: ['Gramophone Barn'] })

    await db.update(products).set({ isHidden: false }).where(eq(products.id, sold.id))
    await db.update(sellers).set({ isHidden: true }).where(eq(sellers.id, id))
    expect(await suggested('gramo')).toEqual(NONE)
  })

  test('find misspelt words if nothing begins with them', async () => {
    await addProduct(db, { name: 'Leather headphones' })

    expect((await suggested('haedphones')).products).toEqual(['Leather headphones'])
    expect((await suggested('leather haedphones')).products).toEqual(['Leather headphones'])
    expect(await suggested('qwxzvk')).toEqual(NONE)
  })

  test('know other alphabets, accents and words between signs', async () => {
    await addProduct(db, { name: 'Красный Чайник' })
    await addProduct(db, { name: 'Théière <Émail>' })
    await addProduct(db, { name: 'Ocean/sky T-shirt, 100%' })

    expect((await suggested('чайн красн')).products).toEqual(['Красный Чайник'])
    expect((await suggested('THÉ éma')).products).toEqual(['Théière <Émail>'])
    for (const value of ['sky', 't-shirt', 'oc 100%']) {
      expect([value, (await suggested(value)).products]).toEqual([value, ['Ocean/sky T-shirt, 100%']])
    }
  })

  test('do not mind accents, whether the shopper or the shop writes them', async () => {
    const { id } = await addSeller(db, { shopName: 'Épicerie Müller' })
    await addProduct(db, { sellerId: id, name: 'Café crème', category: 'Pâtisserie', unitsSold: 1 })
    await addProduct(db, { name: 'Cafe latte' })
    await addProduct(db, { name: 'Smørrebrød Straße', brand: 'Ёлка' })

    for (const value of ['cafe', 'CAFÉ', 'Cafe\u0301'])
      expect([value, (await suggested(value)).products]).toEqual([value, ['Café crème', 'Cafe latte']])
    expect(await suggested('patisserie')).toEqual({ ...NONE, categories: ['Pâtisserie'] })
    expect(await suggested('epicerie muller')).toEqual({ ...NONE, shops: ['Épicerie Müller'] })
    for (const value of ['smorrebrod strasse', 'straße SMØR', 'елка'])
      expect([value, (await suggested(value)).products]).toEqual([value, ['Smørrebrød Straße']])
    expect((await suggested('smorrebrot')).products).toEqual(['Smørrebrød Straße'])
  })

  test.each([
    '%%%',
    '__',
    "''",
    '""',
    '\\\\',
    "ab' | 'cd",
    'ab:* & !cd',
    'ab <-> cd',
    '(((',
    '😀😀😀',
    '🙂a',
    '𝒜'.repeat(100),
    `${'x'.repeat(199)}é`,
    'a b c d e f g h i j k l m n o p',
    '\u202Eabc\u200B',
    'ﷺ ﷺ',
    '٣٤ ½ ²',
    'й ё',
  ])('do not stumble over %j', async value => {
    const answer = await request(
      `/api${getSuggestions.path}?${new URLSearchParams({ value, category: value.slice(0, 50) })}`,
    )

    expect([answer.status, await answer.json()]).toEqual([200, { products: [], categories: [], sellers: [] }])
  })
})
