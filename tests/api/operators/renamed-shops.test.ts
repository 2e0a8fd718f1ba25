import { expect, test } from 'vitest'
import { ownBrand } from '#lib/catalogue/brand.ts'
import { exported, importText, sheet } from '#tests/support/catalogue/catalogue-file.ts'
import { openOperatedShop } from '#tests/support/provider/operated-shop.ts'

const { db, database, api, purgedBy } = await openOperatedShop()

test('a renamed shop’s name changes also where it stands for a brand, and files with the former name do not undo that', async () => {
  const columns = 'Handle,Title,Vendor,Variant Price,Brand (product.metafields.custom.brand)'
  const vendorsFile = sheet(columns, 'jug,Jug,Kiln,9,', 'pan,Pan,Kiln,9,Hestia')
  await importText(db, vendorsFile)
  const former = await exported(db, 'json')
  const readBrands = async () => {
    await database.settled()
    const found = await Promise.all(['jug', 'pan'].map(id => api.getProduct({ id })))
    const listed = async (value: string) =>
      (await api.queryProducts({ filters: [{ name: 'brand', values: [value] }] })).products.map(({ slug }) => slug)
    return {
      shown: found.map(({ product }) => ownBrand(product)),
      listed: [await listed('Kiln'), await listed('Kiln & Son'), await listed('Hestia')],
    }
  }
  expect(await readBrands()).toEqual({ shown: ['', 'Hestia'], listed: [['jug'], [], ['pan']] })

  const { product } = await api.getProduct({ id: 'jug' })
  const purged = await purgedBy('seller', 'rename', 'kiln', 'Kiln & Son')
  expect(purged).toEqual(expect.arrayContaining([`product:${product._id}`, 'products']))

  const renamed = { shown: ['', 'Hestia'], listed: [[], ['jug'], ['pan']] }
  expect(await readBrands()).toEqual(renamed)
  for (const file of [vendorsFile, former]) {
    expect(await importText(db, file)).toMatchObject({ changed: 0, problems: [] })
    expect(await readBrands()).toEqual(renamed)
  }
})
