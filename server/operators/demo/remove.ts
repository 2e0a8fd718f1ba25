import { and, count, countDistinct, eq, inArray, notInArray, sql } from 'drizzle-orm'
import * as z from 'zod'
import { lockVariants } from '#server/catalogue/variants.ts'
import type { Db, Tx } from '#server/db/types.ts'
import {
  categories,
  facts,
  orders,
  paymentAttempts,
  payments,
  platformBanners,
  products,
  sandboxPayments,
  type SellerRow,
  sellers,
  users,
} from '#server/db/schema.ts'

const FACT = 'demo'

/** The products and categories that the demo has added. Only these are removed again. */
const DemoRecord = z.object({ isRemoved: z.boolean(), products: z.array(z.string()), categories: z.array(z.string()) })
type DemoRecord = z.output<typeof DemoRecord>

export async function storeDemoRecord(tx: Tx, record: DemoRecord): Promise<void> {
  const value = { value: record, updatedAt: sql`now()` }
  await tx
    .insert(facts)
    .values({ name: FACT, ...value })
    .onConflictDoUpdate({ target: facts.name, set: value })
}

export async function wasRemoved(db: Db): Promise<boolean> {
  return (await readDemoRecord(db))?.isRemoved ?? false
}

/**
 * Removes the demo's customer, products, orders, banners and shops. A demo shop that has other products stays and
 * becomes the operator's.
 */
export async function clearDemo(tx: Tx): Promise<void> {
  const record = await readDemoRecord(tx)
  // An order cannot be deleted before its payments.
  const ofDemo = tx.select({ id: orders.id }).from(orders).where(eq(orders.isDemo, true))
  const references = tx
    .select({ reference: paymentAttempts.reference })
    .from(paymentAttempts)
    .where(inArray(paymentAttempts.orderId, ofDemo))
  await tx.delete(sandboxPayments).where(inArray(sandboxPayments.reference, references))
  await tx.delete(payments).where(inArray(payments.orderId, ofDemo))
  await tx.delete(orders).where(eq(orders.isDemo, true))
  await tx.delete(users).where(eq(users.isDemo, true))
  await tx.delete(platformBanners).where(eq(platformBanners.isDemo, true))
  if (record?.products.length) {
    const isOfDemo = inArray(products.id, record.products)
    await lockVariants(tx, isOfDemo)
    await tx.delete(products).where(isOfDemo)
  }
  const inUse = tx.selectDistinct({ id: products.sellerId }).from(products)
  await tx.delete(sellers).where(and(eq(sellers.isDemo, true), notInArray(sellers.id, inUse)))
  // A shop that stays gets a new id, because the demo needs the old one to create its shop again.
  const kept = await tx.select().from(sellers).where(eq(sellers.isDemo, true))
  for (const shop of kept) await handOver(tx, shop)
  if (!record?.categories.length) return
  const named = tx.selectDistinct({ name: products.category }).from(products)
  await tx
    .delete(categories)
    .where(and(inArray(categories.name, record.categories), notInArray(categories.name, named)))
}

/** Counts products and shops that are not the demo's. */
export async function countOwnGoods(db: Db): Promise<{ products: number; shops: number }> {
  const record = await readDemoRecord(db)
  const demoProducts = record?.products ?? []
  const isOwn = sql`not ${products.id} = any(${sql.param(demoProducts)}::text[])`
  const [own] = await db
    .select({ products: count(), shops: countDistinct(products.sellerId) })
    .from(products)
    .where(isOwn)
  const emptyShops = await db.$count(
    sellers,
    and(eq(sellers.isDemo, false), notInArray(sellers.id, db.select({ id: products.sellerId }).from(products))),
  )
  return { products: own?.products ?? 0, shops: (own?.shops ?? 0) + emptyShops }
}

async function handOver(tx: Tx, shop: SellerRow): Promise<void> {
  const { id, key, ...rest } = shop
  await tx
    .update(sellers)
    .set({ key: `${key}-before` })
    .where(eq(sellers.id, id))
  const [own] = await tx
    .insert(sellers)
    .values({ ...rest, key, isDemo: false })
    .returning({ id: sellers.id })
  if (own) await tx.update(products).set({ sellerId: own.id }).where(eq(products.sellerId, id))
  await tx.delete(sellers).where(eq(sellers.id, id))
}

async function readDemoRecord(db: Db | Tx): Promise<DemoRecord | null> {
  const [fact] = await db.select().from(facts).where(eq(facts.name, FACT))
  return DemoRecord.safeParse(fact?.value).data ?? null
}
