import { and, asc, eq, not, sql } from 'drizzle-orm'
import type { Seller } from '#contract/shops.ts'
import { FEATURED_SELLERS, SELLERS_PER_PAGE } from '#contract/rules.ts'
import type { Db } from '../db/types.ts'
import { products, sellers } from '../db/schema.ts'
import { pictureAddress } from './pictures.ts'
import { isVisible } from './products.ts'
import { type ListingQuery, queryProducts } from './listing.ts'
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
  rating: sellers.rating,
  ratingCount: sql<number>`(
    select coalesce(sum(product.rating_count), 0)::int from ${products} product
    where product.seller_id = ${sellers}.id and product.is_visible
  )`,
  replyHours: sellers.replyHours,
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

/** The verified shops with the best ratings. */
export async function readFeaturedSellers(db: Db): Promise<Seller[]> {
  const { sellers: featured } = await readSellers(db, { featured: true, pageSize: FEATURED_SELLERS })
  return featured
}

/** A shop and a listing of its products. Throws a `NotFoundError` for an unknown or hidden shop. */
export async function readSellerProducts(
  db: Db,
  totals: Parameters<typeof queryProducts>[1],
  query: { sellerId: string } & Pick<ListingQuery, 'page' | 'filters' | 'sort' | 'search'>,
) {
  const [row] = await db
    .select({
      ...columns,
      createdAt: sellers.createdAt,
      shippingPrices: sellers.shippingRates,
    })
    .from(sellers)
    .where(and(eq(sellers.id, query.sellerId), isShopVisible))
  if (!row) throw new NotFoundError('Store not found')
  const { createdAt, ...shown } = row
  const unitsSold = await countUnitsSold(db, row._id)
  const seller = { ...toSeller(shown), unitsSold, createdAt: createdAt.toISOString() }
  return { seller, ...(await queryProducts(db, totals, query)) }
}

/** The sum of the products' `unitsSold`, which is updated once a day, so that a sale purges no page that shows it. */
async function countUnitsSold(db: Db, sellerId: string): Promise<number> {
  const [sold] = await db
    .select({ units: sql<number>`least(coalesce(sum(${products.unitsSold}), 0), 2147483647)::int` })
    .from(products)
    .where(and(eq(products.sellerId, sellerId), isVisible))
  return sold?.units ?? 0
}
