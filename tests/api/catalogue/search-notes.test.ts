import { afterAll, describe, expect, test } from 'vitest'
import { addProduct, addSeller } from '#tests/support/catalogue/catalogue.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, database, api, close } = await startProvider()
afterAll(close)

async function addAll(category: string, parts: Parameters<typeof addProduct>[1][]) {
  const { id: sellerId } = await addSeller(db)
  for (const part of parts) await addProduct(db, { category, sellerId, ...part })
  await database.settled()
}

describe('a search', () => {
  test('says so when similar products follow the few that have all words', async () => {
    await addAll('Mixed', [
      { name: 'Cotton dress', description: '<p>In washed blue.</p>' },
      { name: 'Garnet dress', unitsSold: 90, priceCents: 9000 },
    ])

    expect(await api.queryProducts({ category: 'Mixed', search: 'blue dress' })).toMatchObject({
      isPartial: false,
      hasOthers: true,
      products: [{ name: 'Cotton dress' }, { name: 'Garnet dress' }],
    })
    const { hasOthers } = await api.queryProducts({ category: 'Mixed', search: 'dress' })
    expect(hasOthers).toBeUndefined()
    const dear = await api.queryProducts({ category: 'Mixed', search: 'blue dress', lowPrice: 50 })
    expect(dear.hasOthers).toBeUndefined()
  })

  test('leads cooks to the kitchen, and ignores words such as gift and present', async () => {
    await addAll('Kitchen', [{ name: 'Robin teapot' }])

    for (const search of ['present for someone who cooks', 'birthday gift for a cook', 'baker']) {
      const { products } = await api.queryProducts({ search })
      expect([search, products.map(({ name }) => name)]).toEqual([search, ['Robin teapot']])
    }
  })
})
