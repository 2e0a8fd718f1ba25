import { and, asc, eq, ilike, inArray, ne, or, sql } from 'drizzle-orm'
import { shopSlug } from '#contract/rules.ts'
import type { Db, Tx } from '../db/types.ts'
import { notifyProcesses } from '../db/process-events.ts'
import { conversations, orders, products, returns, type SellerRow, sellerOrders, sellers } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { RETURNS_UNDER_WAY } from '../accounts/deletion.ts'
import { ConflictError, NotFoundError } from '../platform/errors.ts'
import { recordAudit } from '../platform/audit.ts'
import { lockCatalogue } from './lock.ts'
import { containing } from './containing.ts'
import { lockVariants } from './variants.ts'

/** A shop by its key, name or id. Throws a `NotFoundError` if there is none, a `ConflictError` if several match. */
export async function findSeller(db: Db, named: string): Promise<SellerRow> {
  const isNamed = or(inArray(sellers.key, [named, shopSlug(named)]), eq(sellers.shopName, named), eq(sellers.id, named))
  const found = await db.select().from(sellers).where(isNamed)
  if (found.length > 1) throw new ConflictError(`More than one shop is called '${named}'`)
  const [seller] = found
  if (!seller) throw new NotFoundError(`No shop is called '${named}'`)
  return seller
}

/** Adds a shop and returns its key. Throws a `ConflictError` for a name that another shop has. */
export async function addSeller(
  db: Db,
  shop: { shopName: string; description: string; isVerified: boolean; email?: string | undefined },
): Promise<string> {
  const key = shopSlug(shop.shopName)
  await transact(db, async tx => {
    const [other] = await tx.select({ key: sellers.key }).from(sellers).where(eq(sellers.shopName, shop.shopName))
    if (other) throw new ConflictError(`There is a shop '${other.key}' already`)
    const [added] = await tx
      .insert(sellers)
      .values({ ...shop, key })
      .onConflictDoNothing()
      .returning({ id: sellers.id })
    if (!added) throw new ConflictError(`There is a shop '${key}' already`)
    await recordAudit(tx, { event: 'seller_added', outcome: 'ok', details: { ...added, key } })
  })
  return key
}

/** Changes a shop, named as for `findSeller`, whose errors it throws. */
export async function changeSeller(
  db: Db,
  named: string,
  changes: { isVerified?: boolean; hasAi?: boolean; refundsShipping?: boolean },
): Promise<SellerRow> {
  const { id } = await findSeller(db, named)
  return transact(db, async tx => {
    const [changed] = await tx.update(sellers).set(changes).where(eq(sellers.id, id)).returning()
    if (!changed) throw new NotFoundError(`No shop is called '${named}'`)
    await recordAudit(tx, { event: 'seller_changed', outcome: 'ok', details: { id, ...changes } })
    return changed
  })
}

export interface ShopSummary extends SellerRow {
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
    join ${orders} on ${orders}.id = part.order_id and ${orders}.payment_status = 'paid'
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
export async function renameShop(db: Db, named: string, shopName: string): Promise<SellerRow> {
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
export async function setShopEmail(db: Db, named: string, email: string | null): Promise<SellerRow> {
  const shop = await findSeller(db, named)
  await transact(db, async tx => {
    await tx.update(sellers).set({ email }).where(eq(sellers.id, shop.id))
    await recordAudit(tx, { event: 'seller_email', outcome: 'ok', details: { id: shop.id, hasEmail: email !== null } })
  })
  return shop
}

/** Sets the address on a shop's receipts and invoices; none with no lines. Throws the errors of `findSeller`. */
export async function setShopAddress(db: Db, named: string, address: string[]): Promise<SellerRow> {
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
export async function measureShop(
  db: Db | Tx,
  { id, shopName }: Pick<SellerRow, 'id' | 'shopName'>,
): Promise<ShopRemains> {
  const isOpen = and(eq(sellerOrders.sellerId, id), inArray(sellerOrders.deliveryStatus, ['Pending', 'Processing']))
  const openCount = await db.$count(sellerOrders, isOpen)
  if (openCount > 0) {
    const open = openCount === 1 ? '1 open order' : `${openCount} open orders`
    throw new ConflictError(`${shopName} has ${open}: ship or cancel first ('seller hide' stops new ones)`)
  }
  const returning = await db
    .select({ id: returns.id })
    .from(returns)
    .innerJoin(sellerOrders, eq(sellerOrders.id, returns.sellerOrderId))
    .where(and(eq(sellerOrders.sellerId, id), inArray(returns.status, RETURNS_UNDER_WAY)))
    .limit(1)
  // Customers send the goods to the shop's address.
  if (returning.length > 0)
    throw new ConflictError(`${shopName} has returns under way: end them first ('return list --shop' shows them)`)
  return {
    shopName,
    productCount: await db.$count(products, eq(products.sellerId, id)),
    conversationCount: await db.$count(conversations, eq(conversations.sellerId, id)),
    orderCount: await db.$count(sellerOrders, eq(sellerOrders.sellerId, id)),
  }
}

/**
 * Deletes a shop with its products and conversations; orders keep their lines. Throws a `ConflictError` while one of
 * its orders is neither shipped nor cancelled, or a return is under way.
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
