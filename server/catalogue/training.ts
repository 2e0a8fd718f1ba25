import { and, eq } from 'drizzle-orm'
import { plainText } from '#contract/product.ts'
import type { TrainingProduct } from '#contract/training.ts'
import { TRAINING_BYTES, TRAINING_PRODUCTS } from '#contract/rules.ts'
import type { Db } from '../db/types.ts'
import { products, sellers } from '../db/schema.ts'
import { ORDERS, selectProducts } from './products.ts'
import { isShopVisible } from './sellers.ts'
import { NotFoundError } from '../platform/errors.ts'

const DESCRIPTION_LENGTH = 120

/**
 * The facts for a shop's automated replies: its name and its best-selling products, few and short enough for a prompt.
 * Throws a `NotFoundError` for a shop that is hidden or has not turned automated replies on.
 */
export async function readTrainingProducts(
  db: Db,
  sellerId: string,
): Promise<{ shopName: string; products: TrainingProduct[] }> {
  const [seller] = await db
    .select({ shopName: sellers.shopName })
    .from(sellers)
    .where(and(eq(sellers.id, sellerId), eq(sellers.hasAi, true), isShopVisible))
  if (!seller) throw new NotFoundError('Store not found')
  const rows = await selectProducts(db, {
    where: eq(products.sellerId, sellerId),
    order: ORDERS.topSelling,
    limit: TRAINING_PRODUCTS,
  })
  return { shopName: seller.shopName, products: withinBytes(rows.map(row => toTrainingProduct(row))) }
}

type Known = Omit<TrainingProduct, '_id'> & { id: string }

/** A product's public facts, with the first `length` characters of its description as plain text. */
export function toTrainingProduct({ id, description, ...row }: Known, length = DESCRIPTION_LENGTH): TrainingProduct {
  return {
    _id: id,
    slug: row.slug,
    name: row.name,
    category: row.category,
    brand: row.brand,
    priceCents: row.priceCents,
    discount: row.discount,
    stock: row.stock,
    description: plainText(description).slice(0, length).toWellFormed(),
    rating: row.rating,
  }
}

function withinBytes(facts: TrainingProduct[]): TrainingProduct[] {
  let bytes = 0
  const end = facts.findIndex(fact => (bytes += Buffer.byteLength(JSON.stringify(fact))) > TRAINING_BYTES)
  return end === -1 ? facts : facts.slice(0, end)
}
