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

/** How many visible products ship to no country: of these shops, or of all. */
export async function countUnshippable(db: Db, shopKeys?: string[]): Promise<number> {
  const shipsNowhere = sql`not ${products.isHidden} and ${sellers.shippingRates} || ${products.shippingPrices} = '{}'::jsonb`
  const [row] = await db
    .select({ count: count() })
    .from(products)
    .innerJoin(sellers, eq(sellers.id, products.sellerId))
    .where(and(shipsNowhere, shopKeys && inArray(sellers.key, shopKeys)))
  return row?.count ?? 0
}
