import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../db/types.ts'
import { products, sellers, type ShippingCents } from '../db/schema.ts'

/** Sets the default rates of shops, named by their keys. */
export async function setShippingRates(db: Db, shopKeys: string[], rates: ShippingCents): Promise<void> {
  await db
    .update(sellers)
    .set({ shippingRates: rates })
    .where(
      and(
        inArray(sellers.key, shopKeys),
        sql`${sellers.shippingRates} is distinct from ${JSON.stringify(rates)}::jsonb`,
      ),
    )
}

/** Which of these shops, named by their keys, have default rates. */
export async function findShopsWithRates(db: Db, shopKeys: string[]): Promise<string[]> {
  const hasRates = sql`${sellers.shippingRates} <> '{}'::jsonb`
  const found = await db
    .select({ key: sellers.key })
    .from(sellers)
    .where(and(inArray(sellers.key, shopKeys), hasRates))
  return found.map(({ key }) => key)
}

const shipsNowhere = sql`${products.isVisible} and ${sellers.shippingRates} || ${products.shippingPrices} = '{}'::jsonb`

/** The slugs of visible products that ship to no country. */
export async function listUnshippable(db: Db): Promise<string[]> {
  const rows = await db
    .select({ slug: products.slug })
    .from(products)
    .innerJoin(sellers, eq(sellers.id, products.sellerId))
    .where(shipsNowhere)
    .orderBy(products.slug)
  return rows.map(({ slug }) => slug)
}
