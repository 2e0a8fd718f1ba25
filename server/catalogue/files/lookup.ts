import { and, asc, eq, inArray, or } from 'drizzle-orm'
import { shopSlug } from '#contract/rules.ts'
import { isOneOf } from '#server/db/one-of.ts'
import type { Db, Tx } from '#server/db/types.ts'
import { categories, products, type SellerRow, sellers, variants } from '#server/db/schema.ts'
import { lockVariants } from '../variants.ts'
import type { SellerDraft, StoredVariant } from './drafts.ts'

export type StoredProduct = typeof products.$inferSelect
export type Found = { product: StoredProduct; variants: StoredVariant[] }

/**
 * The shops by the key of their name; of several names with one key, the first counts. Adds missing shops, with
 * the data of their draft if there is one.
 */
export async function findOrAddShops(
  tx: Tx,
  names: string[],
  drafts: SellerDraft[] = [],
): Promise<Map<string, SellerRow>> {
  const given = new Map(drafts.map(draft => [shopSlug(draft.shopName), draft]))
  const wanted = new Map([...Map.groupBy(names, shopSlug)].map(([key, [name = '']]) => [key, name]))
  const find = async () => {
    const isWanted = or(inArray(sellers.key, [...wanted.keys()]), inArray(sellers.shopName, [...wanted.values()]))
    const found = await tx.select().from(sellers).where(isWanted)
    const pairs = [...wanted].flatMap(([key, name]): [string, SellerRow][] => {
      const shop = found.find(each => each.key === key) ?? found.find(each => each.shopName === name)
      return shop ? [[key, shop]] : []
    })
    return new Map(pairs)
  }
  const shops = await find()
  const missing = [...wanted].filter(([key]) => !shops.has(key))
  if (missing.length === 0) return shops
  const added = missing.map(([key, shopName]) => {
    const { line, ...draft } = given.get(key) ?? { line: 0, shopName }
    return { ...draft, key }
  })
  await tx.insert(sellers).values(added).onConflictDoNothing()
  return find()
}

export async function addCategories(tx: Tx, names: string[]): Promise<void> {
  const wanted = [...new Set(names)]
  const found = await tx.select({ name: categories.name }).from(categories).where(inArray(categories.name, wanted))
  const missing = wanted.filter(name => !found.some(category => category.name === name)).toSorted()
  if (missing.length > 0)
    await tx
      .insert(categories)
      .values(missing.map(name => ({ name })))
      .onConflictDoNothing()
}

/**
 * The stored products that have one of these handles or ids in their shop, by `keyOf`. Locks their variants and then
 * their rows, in the same order as placing an order does.
 */
export async function findProducts(
  tx: Tx,
  wanted: { sellerId: string; handle: string; idHandle: string | undefined }[],
): Promise<Map<string, Found>> {
  const bySeller = Map.groupBy(wanted, ({ sellerId }) => sellerId)
  const matches = [...bySeller].map(([sellerId, own]) => {
    const idHandles = own.flatMap(({ idHandle }) => idHandle ?? [])
    const handles = [...new Set([...own.map(({ handle }) => handle), ...idHandles])]
    const isNamed = or(inArray(products.handle, handles), inArray(products.idHandle, idHandles))
    return and(eq(products.sellerId, sellerId), isNamed)
  })
  const isWanted = or(...matches)
  await lockVariants(tx, isWanted)
  const found = await tx.select().from(products).where(isWanted).orderBy(products.id).for('update')
  const parts = await variantsOf(
    tx,
    found.map(({ id }) => id),
  )
  return new Map(
    found.map(product => [keyOf(product.sellerId, product.handle), { product, variants: parts.get(product.id) ?? [] }]),
  )
}

/** How many products these shops, named by their keys, have. */
export async function countProductsOf(db: Db, shopKeys: string[]): Promise<number> {
  const shops = db.select({ id: sellers.id }).from(sellers).where(isOneOf(sellers.key, shopKeys))
  return db.$count(products, inArray(products.sellerId, shops))
}

/** The variants of products, in the seller's order. */
export async function variantsOf(db: Db | Tx, ids: string[]): Promise<Map<string, StoredVariant[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select()
    .from(variants)
    .where(inArray(variants.productId, ids))
    .orderBy(asc(variants.productId), asc(variants.position))
  return Map.groupBy(rows, ({ productId }) => productId)
}

export function keyOf(sellerId: string, handle: string): string {
  return `${sellerId}\n${handle}`
}
