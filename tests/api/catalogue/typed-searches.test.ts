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

test.each([
  ['cabel under $19.99', 'cable under $19.99'],
  ['Crème LMAP, USB-C', 'Crème lamp, USB-C'],
  ['lmapケーブル', 'lamp ケーブル'],
])('the customer reads %j again with nothing but the misspelt word changed', async (search, correctedSearch) => {
  await addAll('Read again', ['Desk lamp', 'Braided cable', 'Crème', 'ケーブル'])

  expect(await api.queryProducts({ category: 'Read again', search })).toMatchObject({ correctedSearch })
})
