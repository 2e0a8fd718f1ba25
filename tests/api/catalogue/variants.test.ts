import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { MAX_STOCK } from '#contract/rules.ts'
import { variants } from '#server/db/schema.ts'
import { addProduct, addShoe } from '#tests/support/catalogue/catalogue.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, api, close } = await startProvider()
afterAll(close)

const productOf = async (id: string) => (await api.getProduct({ id })).product
const set = (id: string, values: Partial<typeof variants.$inferInsert>) =>
  db.update(variants).set(values).where(eq(variants.id, id))

async function openShoe() {
  const sizes = { 42: { stock: 2, priceCents: 2000 }, 43: { stock: 3, priceCents: 3000 }, 44: { priceCents: 9000 } }
  const { id, variantIds } = await addShoe(db, sizes, { stock: 1 })
  const [cheap, middle, dear] = variantIds as [string, string, string]
  return { id, cheap, middle, dear }
}

test('a product has the price of its cheapest variant that can be bought', async () => {
  const { id, cheap, middle, dear } = await openShoe()
  expect(await productOf(id)).toMatchObject({ priceCents: 2000, highestCents: 9000, stock: 6, variantCount: 3 })

  await set(cheap, { stock: 0 })
  expect(await productOf(id)).toMatchObject({ priceCents: 3000, highestCents: 9000, stock: 4 })

  await set(middle, { priceCents: 5000, discount: 50 })
  expect(await productOf(id)).toMatchObject({ priceCents: 5000, discount: 50, highestCents: 9000 })

  await set(middle, { stock: 0 })
  await set(dear, { stock: 0 })
  expect(await productOf(id)).toMatchObject({ priceCents: 2000, discount: 0, highestCents: 9000, stock: 0 })

  await db.delete(variants).where(eq(variants.id, cheap))
  expect(await productOf(id)).toMatchObject({ priceCents: 5000, discount: 50, variantCount: 2 })
})

test('the availability of a product is that of each of its variants', async () => {
  const { id, cheap, middle, dear } = await openShoe()
  await set(dear, { stock: -4, sellsWithoutStock: true })

  expect(await api.getAvailability({ id })).toEqual({
    stock: MAX_STOCK,
    variants: [
      { _id: cheap, stock: 2 },
      { _id: middle, stock: 3 },
      { _id: dear, stock: MAX_STOCK },
    ],
  })
})

test('colours are counted once, however they are written', async () => {
  const kinds = [
    ['Colour', 'Blue'],
    ['Color', 'blue'],
    ['colour', 'Red'],
  ] as const
  const { id } = await addProduct(db, { variants: kinds.map(([name, value]) => ({ options: [[name, value]] })) })

  expect(await productOf(id)).toMatchObject({ colourCount: 2, variantCount: 3 })
})
