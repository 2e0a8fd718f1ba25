import { and, asc, eq, ilike, inArray, ne, or, sql } from 'drizzle-orm'
import { shopSlug } from '#contract/rules.ts'
import type { Db, Tx } from '../db/types.ts'
import { notifyProcesses } from '../db/process-events.ts'
import { conversations, products, sellerOrders, sellers } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { ConflictError, NotFoundError } from '../platform/errors.ts'
import { recordAudit } from '../platform/audit.ts'
import { findSeller } from './files/changes.ts'
import { lockCatalogue } from './files/import.ts'
import { containing } from './containing.ts'
import { lockVariants } from './variants.ts'

export type Shop = typeof sellers.$inferSelect

export interface ShopSummary extends Shop {
  productCount: number
  /** How many of `productCount` are hidden themselves, not only through the shop. */
  hiddenCount: number
  /** Paid orders that the shop has to ship. */
  toShipCount: number
  orderCount: number
}

const ofSeller = sql`${sellers}.id`
const summaryColumns = {
  shop: sellers,
  productCount: sql<number>`(select count(*)::int from ${products} product where product.seller_id = ${ofSeller})`,
  hiddenCount: sql<number>`(
    select count(*)::int from ${products} product where product.seller_id = ${ofSeller} and product.is_hidden
  )`,
  toShipCount: sql<number>`(
    select count(*)::int from ${sellerOrders} part
    where part.seller_id = ${ofSeller} and part.delivery_status = 'Processing'
  )`,
  orderCount: sql<number>`(select count(*)::int from ${sellerOrders} part where part.seller_id = ${ofSeller})`,
}

/** The shops whose key or name contains `text`, by key. */
export async function listShops(db: Db, text: string, limit: number): Promise<ShopSummary[]> {
  const rows = await db
    .select(summaryColumns)
    .from(sellers)
    .where(or(ilike(sellers.key, containing(text)), ilike(sellers.shopName, containing(text))))
    .orderBy(asc(sellers.key))
    .limit(limit)
  return rows.map(({ shop, ...counts }) => ({ ...shop, ...counts }))
}

/** One shop, named as for `findSeller`, whose errors it throws. */
export async function readShop(db: Db, named: string): Promise<ShopSummary> {
  const { id } = await findSeller(db, named)
  const [row] = await db.select(summaryColumns).from(sellers).where(eq(sellers.id, id))
  if (!row) throw new NotFoundError(`No shop is called '${named}'`)
  return { ...row.shop, ...row }
}

/**
 * Hides a shop with its products, or shows it again; products that are hidden themselves stay hidden. Its orders
 * continue. Returns the shop's name and whether anything changed.
 */
export async function hideShop(
  db: Db,
  named: string,
  isHidden: boolean,
): Promise<{ shopName: string; isNew: boolean }> {
  const { id, shopName } = await findSeller(db, named)
  const isNew = await transact(db, async tx => {
    await lockCatalogue(tx)
    const changed = await tx
      .update(sellers)
      .set({ isHidden })
      .where(and(eq(sellers.id, id), ne(sellers.isHidden, isHidden)))
      .returning({ id: sellers.id })
    if (changed.length === 0) return false
    await recordAudit(tx, { event: isHidden ? 'seller_hidden' : 'seller_shown', outcome: 'ok', details: { id } })
    return true
  })
  return { shopName, isNew }
}

/**
 * Renames a shop. Its key stays, so that files with the old name still refer to this shop. Throws a `ConflictError` for
 * a name that another shop has as its name or key.
 */
export async function renameShop(db: Db, named: string, shopName: string): Promise<Shop> {
  const shop = await findSeller(db, named)
  await transact(db, async tx => {
    await lockCatalogue(tx)
    const isTaken = and(
      ne(sellers.id, shop.id),
      or(eq(sellers.key, shopSlug(shopName)), eq(sellers.shopName, shopName)),
    )
    const [other] = await tx.select({ key: sellers.key }).from(sellers).where(isTaken).limit(1)
    if (other) throw new ConflictError(`Another shop, '${other.key}', has this name`)
    await tx.update(sellers).set({ shopName }).where(eq(sellers.id, shop.id))
    const details = { id: shop.id, from: shop.shopName, to: shopName }
    await recordAudit(tx, { event: 'seller_renamed', outcome: 'ok', details })
  })
  return shop
}

/** Sets the address that gets mails about a shop's paid orders; null for no mails. */
export async function setShopEmail(db: Db, named: string, email: string | null): Promise<Shop> {
  const shop = await findSeller(db, named)
  await transact(db, async tx => {
    await tx.update(sellers).set({ email }).where(eq(sellers.id, shop.id))
    await recordAudit(tx, { event: 'seller_email', outcome: 'ok', details: { id: shop.id, hasEmail: email !== null } })
  })
  return shop
}

/** Sets the address on a shop's receipts and invoices; none with no lines. Throws the errors of `findSeller`. */
export async function setShopAddress(db: Db, named: string, address: string[]): Promise<Shop> {
  const shop = await findSeller(db, named)
  await transact(db, async tx => {
    await tx.update(sellers).set({ address }).where(eq(sellers.id, shop.id))
    await recordAudit(tx, { event: 'seller_address', outcome: 'ok', details: { id: shop.id, address } })
  })
  return shop
}

export interface ShopRemains {
  shopName: string
  productCount: number
  conversationCount: number
  /** Orders from this shop, which keep the names and prices at the time of the order. */
  orderCount: number
}

/** Counts what `removeShop` would delete and keep. Throws its errors. */
export async function measureShop(db: Db | Tx, { id, shopName }: Pick<Shop, 'id' | 'shopName'>): Promise<ShopRemains> {
  const isOpen = and(eq(sellerOrders.sellerId, id), inArray(sellerOrders.deliveryStatus, ['Pending', 'Processing']))
  const openCount = await db.$count(sellerOrders, isOpen)
  if (openCount > 0) {
    const open = openCount === 1 ? '1 open order' : `${openCount} open orders`
    throw new ConflictError(`${shopName} has ${open}: ship or cancel first ('seller hide' stops new ones)`)
  }
  return {
    shopName,
    productCount: await db.$count(products, eq(products.sellerId, id)),
    conversationCount: await db.$count(conversations, eq(conversations.sellerId, id)),
    orderCount: await db.$count(sellerOrders, eq(sellerOrders.sellerId, id)),
  }
}

/**
 * Deletes a shop with its products and conversations; orders keep their lines. Throws a `ConflictError` while one of
 * its orders is neither shipped nor cancelled.
 */
export async function removeShop(db: Db, named: string): Promise<ShopRemains> {
  const shop = await findSeller(db, named)
  return transact(db, async tx => {
    await lockCatalogue(tx)
    const isOfShop = eq(products.sellerId, shop.id)
    // An order placed at the same time either comes first or fails because its product is gone.
    await lockVariants(tx, isOfShop)
    await tx.select({ id: products.id }).from(products).where(isOfShop).orderBy(products.id).for('update')
    const measured = await measureShop(tx, shop)
    await tx.delete(sellers).where(eq(sellers.id, shop.id))
    await notifyProcesses(tx, 'seller-tokens', [shop.id])
    await recordAudit(tx, { event: 'seller_removed', outcome: 'ok', details: { id: shop.id, ...measured } })
    return measured
  })
}
