import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { replaceSynonyms } from '#server/catalogue/search/current-synonyms.ts'
import { addProduct, addSeller } from '#tests/support/catalogue/catalogue.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, database, api, close } = await startProvider()
afterAll(close)

async function addAll(category: string, names: string[]) {
  const { id: sellerId } = await addSeller(db)
  for (const name of names) await addProduct(db, { category, sellerId, name })
  await database.settled()
}

describe('a search with a Chinese or Japanese word', () => {
  beforeAll(() =>
    addAll('Wares', ['USB ケーブル 2m', 'Sony ワイヤレス イヤホン', '赤い傘', '手机壳', 'iPhone ケース', 'Straw hat']),
  )

  test.each([
    ['usb ケーブル', 'USB ケーブル 2m'],
    ['sony イヤホン', 'Sony ワイヤレス イヤホン'],
    ['赤い 傘', '赤い傘'],
    ['手机 壳', '手机壳'],
    ['iPhoneケース', 'iPhone ケース'],
  ])('finds %j', async (search, name) => {
    const { products, correctedSearch } = await api.queryProducts({ category: 'Wares', search })

    expect(products.map(each => each.name)).toEqual([name])
    expect(correctedSearch).toBeUndefined()
  })

  test('finds what the operator’s synonyms name, in both directions', async () => {
    await addAll('Telephones', ['Smartphone', 'スマホ', '赤い傘'])
    await replaceSynonyms(db, ['スマホ, smartphone', 'red umbrella, 赤い 傘'])
    await database.settled()
    const find = async (search: string) => {
      const { products } = await api.queryProducts({ category: 'Telephones', search })
      return products.map(({ name }) => name).toSorted()
    }

    expect(await find('smartphone')).toEqual(['Smartphone', 'スマホ'])
    expect(await find('スマホ')).toEqual(['Smartphone', 'スマホ'])
    expect(await find('red umbrella')).toEqual(['赤い傘'])
    expect(await find('赤い 傘')).toEqual(['赤い傘'])
  })
})

describe('a misspelt word beside a number', () => {
  beforeAll(() => addAll('Misspelt', ['Desk lamp', 'Braided cable', 'Cinema poster']))

  test.each([
    ['lmap 2', 'Desk lamp', 'lamp 2'],
    ['lmap 26 cm', 'Desk lamp', 'lamp 26 cm'],
    ['cabel 2 m', 'Braided cable', 'cable 2 m'],
    ['12 cabel', 'Braided cable', '12 cable'],
    ['postre 30 x 40', 'Cinema poster', 'poster 30 x 40'],
  ])('is corrected in %j', async (search, name, correctedSearch) => {
    const found = await api.queryProducts({ category: 'Misspelt', search })

    expect(found).toMatchObject({ correctedSearch, products: [{ name }] })
  })

  test('stays as it is if a product has both as one word', async () => {
    await addAll('Codes', ['Guitar amplifier GXR500', 'Gear box'])

    const found = await api.queryProducts({ category: 'Codes', search: 'gxr 500' })

    expect(found.products).toMatchObject([{ name: 'Guitar amplifier GXR500' }])
    expect(found.correctedSearch).toBeUndefined()
  })
})

test.each([
  ['cabel under $19.99', 'cable under $19.99'],
  ['Crème LMAP, USB-C', 'Crème lamp, USB-C'],
  ['lmapケーブル', 'lamp ケーブル'],
])('the customer reads %j again with nothing but the misspelt word changed', async (search, correctedSearch) => {
  await addAll('Read again', ['Desk lamp', 'Braided cable', 'Crème', 'ケーブル'])

  expect(await api.queryProducts({ category: 'Read again', search })).toMatchObject({ correctedSearch })
})
