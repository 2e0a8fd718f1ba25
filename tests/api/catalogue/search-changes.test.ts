import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { products, variants } from '#server/db/schema.ts'
import { addProduct } from '#tests/support/catalogue/catalogue.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, database, api, close } = await startProvider()
afterAll(close)

const setVariant = (productId: string, change: Partial<typeof variants.$inferInsert>) =>
  db.update(variants).set(change).where(eq(variants.productId, productId))

const setTags = (id: string, tags: string[]) => db.update(products).set({ tags }).where(eq(products.id, id))

test.each([
  ['SKU', 'QX7431', (id: string) => setVariant(id, { sku: 'QX-7431' })],
  ['barcode', '4006381333931', (id: string) => setVariant(id, { barcode: '4006381333931' })],
  ['tag', 'gymnastics', (id: string) => setTags(id, ['gymnastics'])],
])('a search that found nothing finds a new %s', async (what, search, change) => {
  const { id } = await addProduct(db, { category: what, name: 'Balance beam' })
  await database.settled()
  const find = () => api.queryProducts({ category: what, search })
  expect(await find()).toMatchObject({ total: 0 })

  await change(id)
  await database.settled()

  expect(await find()).toMatchObject({ products: [{ _id: id }] })
})
