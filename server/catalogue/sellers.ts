import { and, asc, eq, not, sql } from 'drizzle-orm'
import type { Product, Seller } from '#contract/catalog.ts'
import { FEATURED_SELLERS, PRODUCTS_PER_PAGE, SELLERS_PER_PAGE } from '#contract/rules.ts'
import type { Db } from '../db/types.ts'
import { products, sellers } from '../db/schema.ts'
import { pictureAddress } from './pictures.ts'
import { isVisible, ORDERS, selectProducts, toProduct } from './products.ts'
import { NotFoundError } from '../platform/errors.ts'

const columns = {
  _id: sellers.id,
  picture: sellers.picture,
  shopName: sellers.shopName,
  description: sellers.description,
  isVerified: sellers.isVerified,
  productCount: sql<number>`(
    select count(*)::int from ${products} product where product.seller_id = ${sellers}.id and product.is_visible
  )`,
}

export const isShopVisible = not(sellers.isHidden)

export const VERIFIED_BY_RATING = [
  sql`${sellers.isVerified} desc nulls last`,
  sql`${sellers.rating} desc nulls last`,
  asc(sellers.id),
]

type SellerRow = Omit<Seller, 'image'> & { picture: Parameters<typeof pictureAddress>[0] }

function toSeller({ picture, ...row }: SellerRow): Seller {
  return { ...row, image: pictureAddress(picture) ?? '' }
}

interface SellerQuery {
  verified?: boolean | undefined
  featured?: boolean | undefined
  page?: number | undefined
  pageSize?: number | undefined
}

/** One page of visible shops, verified and well rated ones first; only verified ones with `verified` or `featured`. */
export async function readSellers(
  db: Db,
  { verified = false, featured = false, page = 1, pageSize = SELLERS_PER_PAGE }: SellerQuery,
): Promise<{ sellers: Seller[]; total: number; pageSize: number }> {
  const where = and(isShopVisible, verified || featured ? eq(sellers.isVerified, true) : undefined)
  const offset = (page - 1) * pageSize
  const total = await db.$count(sellers, where)
  if (offset >= total) return { sellers: [], total, pageSize }
  const rows = await db
    .select(columns)
    .from(sellers)
    .where(where)
    .orderBy(...VERIFIED_BY_RATING)
    .limit(pageSize)
    .offset(offset)
  return { sellers: rows.map(toSeller), total, pageSize }
}

/** The best rated of the verified shops. */
export async function readFeaturedSellers(db: Db): Promise<Seller[]> {
  const { sellers: featured } = await readSellers(db, { featured: true, pageSize: FEATURED_SELLERS })
  return featured
}

/** A shop and one page of its products, top selling first. Throws a `NotFoundError` for an unknown or hidden shop. */
export async function readSellerProducts(
  db: Db,
  sellerId: string,
  page = 1,
): Promise<{ seller: Seller; products: Product[]; total: number; pageSize: number }> {
  const [row] = await db
    .select(columns)
    .from(sellers)
    .where(and(eq(sellers.id, sellerId), isShopVisible))
  if (!row) throw new NotFoundError('Store not found')
  const seller = toSeller(row)
  const offset = (page - 1) * PRODUCTS_PER_PAGE
  const shown = { seller, total: seller.productCount, pageSize: PRODUCTS_PER_PAGE }
  if (offset >= shown.total) return { products: [], ...shown }
  const rows = await selectProducts(db, {
    where: and(eq(products.sellerId, sellerId), isVisible),
    order: ORDERS.topSelling,
    limit: PRODUCTS_PER_PAGE,
    offset,
  })
  return { products: rows.map(product => toProduct(product)), ...shown }
}
