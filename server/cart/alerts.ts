import { and, count, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { MAX_ALERTS, MAX_PRICE_CENTS } from '#contract/rules.ts'
import { variantTitle } from '#contract/variants.ts'
import type { Alert, NewAlert } from '#contract/wishlist.ts'
import type { Db, Tx } from '../db/types.ts'
import { productAlerts, products, users, variants } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { lockCustomer } from '../accounts/customers.ts'
import { findPicture, pictureAddress } from '../catalogue/pictures.ts'
import { isVisible } from '../catalogue/products.ts'
import { ConflictError, InvalidInputError, NotFoundError } from '../platform/errors.ts'
import { readChosen } from './lines.ts'

/** The customer's alerts about products for sale, newest first. */
export async function readAlerts(db: Db, userId: string): Promise<Alert[]> {
  const rows = await db
    .select({ alert: productAlerts, product: products, variant: variants })
    .from(productAlerts)
    .innerJoin(products, eq(products.id, productAlerts.productId))
    .leftJoin(variants, eq(variants.id, productAlerts.variantId))
    .where(isShownTo(userId))
    .orderBy(desc(productAlerts.createdAt), desc(productAlerts.id))
  return rows.map(({ alert, product, variant }) => {
    const picture = (variant?.picture && findPicture(variant.picture, product.pictures)) ?? product.pictures[0]
    return {
      _id: alert.id,
      productId: product.id,
      ...(variant && { variantId: variant.id }),
      name: product.name,
      title: variant ? variantTitle(variant.options) : '',
      slug: product.slug,
      image: (picture && pictureAddress(picture)) ?? '',
      priceCents: variant?.finalCents ?? product.finalCents,
      ...(alert.belowCents !== null && { belowCents: alert.belowCents }),
    }
  })
}

/**
 * Stores an alert. Throws a `ConflictError` if its condition is already met or the customer has `MAX_ALERTS`, a
 * `NotFoundError` for a product or variant that is not for sale, an `InvalidInputError` for a price that no product can
 * have, and a `ChooseOptionsError` for a product with several variants when none is given.
 */
export async function addAlert(db: Db, userId: string, alert: NewAlert): Promise<void> {
  await transact(db, async tx => {
    await lockCustomer(tx, userId)
    const { belowCents } = alert
    if (belowCents === undefined) await addBack(tx, userId, alert)
    else await addPrice(tx, userId, { productId: alert.productId, belowCents })
    const [all] = await tx
      .select({ count: count() })
      .from(productAlerts)
      .innerJoin(products, eq(products.id, productAlerts.productId))
      .where(isShownTo(userId))
    if (all && all.count > MAX_ALERTS)
      throw new ConflictError(`You have ${MAX_ALERTS} alerts. Please end one of them first`)
  })
}

/** Condition for a customer's alerts about products that are for sale; the others are neither listed nor counted. */
function isShownTo(userId: string) {
  return and(eq(productAlerts.userId, userId), isVisible)
}

async function addBack(tx: Tx, userId: string, { productId, variantId }: NewAlert): Promise<void> {
  const sold = await readChosen(tx, productId, variantId)
  if (!sold) throw new NotFoundError('Product not found')
  if (sold.units > 0) throw new ConflictError('This is in stock: you can buy it now')
  await tx
    .insert(productAlerts)
    .values({ userId, productId, variantId: sold.variant.id })
    .onConflictDoNothing({
      target: [productAlerts.userId, productAlerts.variantId],
      where: isNotNull(productAlerts.variantId),
    })
}

async function addPrice(tx: Tx, userId: string, alert: { productId: string; belowCents: number }): Promise<void> {
  const { productId, belowCents } = alert
  if (belowCents < 1 || belowCents > MAX_PRICE_CENTS) throw wrongPrice('Please enter a price')
  const [product] = await tx
    .select({ finalCents: products.finalCents, isAvailable: products.isAvailable })
    .from(products)
    .where(and(eq(products.id, productId), isVisible))
  if (!product) throw new NotFoundError('Product not found')
  if (product.isAvailable && product.finalCents < belowCents) throw wrongPrice('It already costs less than that')
  await tx
    .insert(productAlerts)
    .values({ userId, productId, belowCents })
    .onConflictDoUpdate({
      target: [productAlerts.userId, productAlerts.productId],
      targetWhere: isNull(productAlerts.variantId),
      set: { belowCents, createdAt: sql`now()` },
    })
}

function wrongPrice(text: string): InvalidInputError {
  return new InvalidInputError(text, { below: text })
}

/** Throws a `NotFoundError` for an alert that is not the customer's, or has ended. */
export async function removeAlert(db: Db, userId: string, alertId: string): Promise<void> {
  const removed = await db
    .delete(productAlerts)
    .where(and(eq(productAlerts.id, alertId), eq(productAlerts.userId, userId)))
    .returning({ id: productAlerts.id })
  if (removed.length === 0) throw new NotFoundError('This alert has ended')
}

/** Ends all alerts of a customer, also those whose mails still wait to be sent. */
export async function removeAllAlerts(db: Db, userId: string): Promise<void> {
  await transact(db, async tx => {
    await tx.update(users).set({ alertsEndedAt: new Date() }).where(eq(users.id, userId))
    await tx.delete(productAlerts).where(eq(productAlerts.userId, userId))
  })
}
