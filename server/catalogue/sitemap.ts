import { asc, count } from 'drizzle-orm'
import { shopSlug, SITEMAP_PAGE_SIZE } from '#contract/rules.ts'
import type { Db } from '../db/types.ts'
import { products, sellers } from '../db/schema.ts'
import { isVisible } from './products.ts'
import { isShopVisible } from './sellers.ts'

interface Entry {
  _id: string
  slug: string
  updatedAt?: string
}

/** The numbers of visible products and stores. */
export async function readSitemapTotals(db: Db): Promise<{ products: number; stores: number }> {
  const [[visible], [stores]] = await Promise.all([
    db.select({ total: count() }).from(products).where(isVisible),
    db.select({ total: count() }).from(sellers).where(isShopVisible),
  ])
  return { products: visible?.total ?? 0, stores: stores?.total ?? 0 }
}

/** One page of products, ordered by id: page 1 has the oldest. */
export async function readSitemapProducts(db: Db, page = 1): Promise<Entry[]> {
  const rows = await db
    .select({ _id: products.id, slug: products.slug, updatedAt: products.updatedAt })
    .from(products)
    .where(isVisible)
    .orderBy(asc(products.id))
    .limit(SITEMAP_PAGE_SIZE)
    .offset((page - 1) * SITEMAP_PAGE_SIZE)
  return rows.map(({ updatedAt, ...row }) => ({ ...row, updatedAt: updatedAt.toISOString() }))
}

/** Like `readSitemapProducts`; the slug is made from the shop's current name. */
export async function readSitemapStores(db: Db, page = 1): Promise<Entry[]> {
  const rows = await db
    .select({ _id: sellers.id, shopName: sellers.shopName })
    .from(sellers)
    .where(isShopVisible)
    .orderBy(asc(sellers.id))
    .limit(SITEMAP_PAGE_SIZE)
    .offset((page - 1) * SITEMAP_PAGE_SIZE)
  return rows.map(({ _id, shopName }) => ({ _id, slug: shopSlug(shopName) }))
}
