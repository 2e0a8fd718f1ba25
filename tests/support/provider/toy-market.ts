import { eq } from 'drizzle-orm'
import type { DayRange } from '#contract/delivery.ts'
import type { Db } from '#server/db/types.ts'
import { sellers } from '#server/db/schema.ts'
import { addProduct, addSeller } from '../catalogue/catalogue.ts'

export const productPage = (slug: string) => `/product/details/${slug}`

/** More than all tests together order. */
const PLENTY = 900

/** Parcels of Toy Town arrive 3 to 6 days after the payment. */
const PROMISE = { handlingDays: [1, 2] as DayRange, transitDays: { Kenya: [2, 4] as DayRange } }

const TOYS = [
  { slug: 'train', name: 'Wooden train', priceCents: 2000, discount: 10, stock: 4 },
  { slug: 'wagon', name: 'Wooden wagon', priceCents: 2000, discount: 10, stock: PLENTY },
  { slug: 'kite', name: 'Red kite', priceCents: 1050, stock: PLENTY },
  { slug: 'ball', name: 'Blue ball', priceCents: 700, stock: PLENTY },
  // Each of these is changed by one test.
  { slug: 'drum', name: 'Tin drum', priceCents: 700, stock: 9 },
  { slug: 'top', name: 'Humming top', priceCents: 700, stock: 9 },
  { slug: 'glider', name: 'Paper glider', priceCents: 1050, stock: PLENTY },
  { slug: 'marble', name: 'Glass marble', priceCents: 700, stock: 9 },
  { slug: 'yoyo', name: 'Wooden yo-yo', priceCents: 700, stock: 9, category: 'Games' },
  { slug: 'rattle', name: 'Wooden rattle', priceCents: 700, stock: 9, category: 'Games' },
  { slug: 'domino', name: 'Stone domino', priceCents: 700, stock: 9, category: 'Games' },
]
/** The products that get their first review: by window width, for each try of the test. */
export const REVIEWED = { phone: ['boat', 'ship'], desktop: ['puppet', 'bear'] }
/** The products with two discussed reviews: one for each try of the test that answers one of them. */
export const DISCUSSED = ['discussed', 'discussed-again']
const GAMES = Object.values(REVIEWED)
  .flat()
  .map(slug => ({ slug, name: `Old ${slug}` }))
const LIGHTS = [
  { slug: 'lamp', name: 'Desk lamp', priceCents: 4999, stock: 3 },
  { slug: 'bulb', name: 'Warm bulb', priceCents: 300, stock: PLENTY },
  // Each of these is changed by one test.
  { slug: 'lantern', name: 'Paper lantern', priceCents: 4999, stock: 3 },
  { slug: 'candle', name: 'Wax candle', priceCents: 300, stock: PLENTY },
]

/** Adds two shops with a handful of products, by slug. 'Bright Lights' has automated replies. */
export async function addToyMarket(db: Db): Promise<void> {
  const address = ['1 Spinning Top Square', 'Nairobi 00200', 'Kenya']
  const toys = await addSeller(db, { shopName: 'Toy Town', shippingRates: { Kenya: 500 }, address, ...PROMISE })
  const lights = await addSeller(db, { shopName: 'Bright Lights' })
  await db.update(sellers).set({ hasAi: true }).where(eq(sellers.id, lights.id))
  const of = ({ id, shopName }: typeof toys) => ({ sellerId: id, shopName })
  for (const product of TOYS) await addProduct(db, { ...of(toys), ...product })
  for (const product of GAMES) await addProduct(db, { ...of(toys), ...product, category: 'Games' })
  for (const product of LIGHTS) await addProduct(db, { ...of(lights), ...product, category: 'Lights' })
}
