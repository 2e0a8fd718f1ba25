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

describe('a search that names a country', () => {
  test.each(['harp that ships to South Korea', 'harp shipped to south korea', 'delivery to South Korea harp'])(
    'shows only what ships to the country of ‘%s’, and looks for no word of it',
    async search => {
      await addAll(search, [
        { name: 'Harp', shippingPrices: { 'South Korea': 900 } },
        { name: 'Korean harp for a ship', shippingPrices: { Kenya: 900 }, unitsSold: 500 },
      ])

      const found = await api.queryProducts({ category: search, search })

      expect(found).toMatchObject({ isPartial: false, products: [{ name: 'Harp' }], total: 1 })
      expect(found.correctedSearch).toBeUndefined()
    },
  )

  test('shows what ships to a country to a search that names nothing else, and ships as goods', async () => {
    await addAll('Harbour', [{ name: 'Ship in a bottle' }, { name: 'Cork', shippingPrices: { 'United Kingdom': 900 } }])
    const namesOf = async (search: string) =>
      (await api.queryProducts({ category: 'Harbour', search })).products.map(({ name }) => name)

    expect(await namesOf('ships to the UK')).toEqual(['Cork'])
    expect(await namesOf('ship')).toEqual(['Ship in a bottle'])
  })
})
