import { and, eq, sql } from 'drizzle-orm'
import type { DayRange } from '#contract/delivery.ts'
import { isOneOf } from '../db/one-of.ts'
import type { Db } from '../db/types.ts'
import { products, sellers, type ShippingCents } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { ConflictError } from '../platform/errors.ts'
import { recordAudit } from '../platform/audit.ts'
import { findSeller } from './seller-management.ts'

/** Sets the default rates of shops, named by their keys. */
export function setShippingRates(db: Db, shopKeys: string[], rates: ShippingCents): Promise<void> {
  const isOther = sql`${sellers.shippingRates} is distinct from ${JSON.stringify(rates)}::jsonb`
  return transact(db, async tx => {
    const changed = await tx
      .update(sellers)
      .set({ shippingRates: rates })
      .where(and(isOneOf(sellers.key, shopKeys), isOther))
      .returning({ key: sellers.key })
    if (changed.length === 0) return
    const details = { shops: changed.map(({ key }) => key).toSorted(), shippingRates: rates }
    await recordAudit(tx, { event: 'seller_shipping', outcome: 'ok', details })
  })
}

/** Which of these shops, named by their keys, have default rates. */
export async function findShopsWithRates(db: Db, shopKeys: string[]): Promise<string[]> {
  const hasRates = sql`${sellers.shippingRates} <> '{}'::jsonb`
  const found = await db
    .select({ key: sellers.key })
    .from(sellers)
    .where(and(isOneOf(sellers.key, shopKeys), hasRates))
  return found.map(({ key }) => key)
}

interface Shipping {
  /** Replaces the shop's rates. */
  rates?: ShippingCents | undefined
  handlingDays?: DayRange | undefined
  /** Added to the stored days, or replacing them, by country; '' stands for all countries to which the shop ships. */
  transitDays?: Record<string, DayRange> | undefined
}

/**
 * Changes where a shop ships and how long its parcels take. Throws a `NotFoundError` for an unknown shop, and a
 * `ConflictError` for transit days without handling days, because a delivery date needs both.
 */
export async function changeShipping(db: Db, shop: string, { rates, handlingDays, transitDays }: Shipping) {
  const { id } = await findSeller(db, shop)
  return transact(db, async tx => {
    const [seller] = await tx.select().from(sellers).where(eq(sellers.id, id)).for('no key update')
    if (!seller) throw new ConflictError(`The shop '${shop}' was removed meanwhile`)
    const shippingRates = rates ?? seller.shippingRates
    const { '': all, ...byCountry } = transitDays ?? {}
    const everywhere = all ? Object.keys(shippingRates).map(country => [country, all] as const) : []
    const changed = {
      shippingRates,
      handlingDays: handlingDays ?? seller.handlingDays,
      transitDays: { ...seller.transitDays, ...Object.fromEntries(everywhere), ...byCountry },
    }
    if (transitDays && !changed.handlingDays)
      throw new ConflictError('Say how long the shop needs until a parcel leaves, such as --handling 1-2')
    await tx.update(sellers).set(changed).where(eq(sellers.id, id))
    await recordAudit(tx, { event: 'seller_shipping', outcome: 'ok', details: { id, ...changed } })
    return { ...seller, ...changed }
  })
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
