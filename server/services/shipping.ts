import { and, count, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../db/open.ts'
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

/** How many visible products ship to no country. */
export async function countUnshippable(db: Db): Promise<number> {
  const shipsNowhere = sql`not ${products.isHidden} and ${sellers.shippingRates} || ${products.shippingPrices} = '{}'::jsonb`
  const [row] = await db
    .select({ count: count() })
    .from(products)
    .innerJoin(sellers, eq(sellers.id, products.sellerId))
    .where(shipsNowhere)
  return row?.count ?? 0
}
