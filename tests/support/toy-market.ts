import type { Db } from '#server/db/open.ts'
import { addProduct, addSeller } from './catalogue.ts'

export const productPage = (slug: string) => `/product/details/${slug}`

/** Two shops with a handful of products, by their slugs. */
export async function addToyMarket(db: Db): Promise<void> {
  const toys = await addSeller(db, { shopName: 'Toy Town', shippingRates: { Kenya: 500 } })
  const lights = await addSeller(db, { shopName: 'Bright Lights' })
  const of = ({ id, shopName }: typeof toys) => ({ sellerId: id, shopName })
  await addProduct(db, { ...of(toys), slug: 'train', name: 'Wooden train', priceCents: 2000, discount: 10, stock: 4 })
  await addProduct(db, { ...of(toys), slug: 'kite', name: 'Red kite', priceCents: 1050, stock: 9 })
  await addProduct(db, { ...of(toys), slug: 'ball', name: 'Blue ball', priceCents: 700, stock: 9 })
  await addProduct(db, {
    ...of(lights),
    slug: 'lamp',
    name: 'Desk lamp',
    priceCents: 4999,
    stock: 3,
    category: 'Lights',
  })
  await addProduct(db, {
    ...of(lights),
    slug: 'bulb',
    name: 'Warm bulb',
    priceCents: 300,
    stock: 50,
    category: 'Lights',
  })
}
