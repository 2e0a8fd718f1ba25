import { desc, eq } from 'drizzle-orm'
import type { Db } from '../db/types.ts'
import { products, reviews } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { NotFoundError } from '../platform/errors.ts'
import { recordAudit } from '../platform/audit.ts'
import { noProduct } from './product-management.ts'
import { rateProducts } from './ratings.ts'

export type ListedReview = typeof reviews.$inferSelect & { slug: string }

/** The newest reviews of one product or all, including hidden ones. Throws a `NotFoundError` for an unknown slug. */
export async function listReviews(db: Db, slug: string | undefined, limit: number): Promise<ListedReview[]> {
  const isOfProduct = slug === undefined ? undefined : eq(products.slug, slug)
  if (slug !== undefined && (await db.$count(products, isOfProduct)) === 0) throw noProduct(slug)
  const rows = await db
    .select({ review: reviews, slug: products.slug })
    .from(reviews)
    .innerJoin(products, eq(products.id, reviews.productId))
    .where(isOfProduct)
    .orderBy(desc(reviews.createdAt), desc(reviews.id))
    .limit(limit)
  return rows.map(({ review, slug }) => ({ ...review, slug }))
}

/** A review by its id, hidden or not. Throws a `NotFoundError` for an unknown id. */
export async function readReview(db: Db, id: string): Promise<ListedReview> {
  const [found] = await db
    .select({ review: reviews, slug: products.slug })
    .from(reviews)
    .innerJoin(products, eq(products.id, reviews.productId))
    .where(eq(reviews.id, id))
  if (!found) throw new NotFoundError(`There is no review ${id}: 'review list' names them`)
  return { ...found.review, slug: found.slug }
}

/**
 * Hides a review or shows it again. A hidden review is on no page and its rating does not count; its author still sees
 * it, and it stays hidden when they rewrite it. Throws a `NotFoundError` for an unknown id.
 */
export async function hideReview(db: Db, id: string, isHidden: boolean): Promise<ListedReview & { isNew: boolean }> {
  return transact(db, async tx => {
    const [named] = await tx.select({ productId: reviews.productId }).from(reviews).where(eq(reviews.id, id))
    if (!named) throw new NotFoundError(`There is no review ${id}: 'review list' names them`)
    // Locked as in `submitReview`: one change at a time, so that the next one counts this one.
    const [product] = await tx.select().from(products).where(eq(products.id, named.productId)).for('update')
    const [before] = await tx.select().from(reviews).where(eq(reviews.id, id))
    if (!product || !before) throw new NotFoundError(`There is no review ${id}: 'review list' names them`)
    await tx.update(reviews).set({ isHidden }).where(eq(reviews.id, id))
    await rateProducts(tx, [product.id])
    const isNew = before.isHidden !== isHidden
    const details = { id, productId: product.id }
    if (isNew) await recordAudit(tx, { event: isHidden ? 'review_hidden' : 'review_shown', outcome: 'ok', details })
    return { ...before, isHidden, slug: product.slug, isNew }
  })
}
