import { and, eq, sql } from 'drizzle-orm'
import { snapshotName } from '#contract/variants.ts'
import { describeDevice } from '../accounts/device.ts'
import { readPicturesOf } from '../catalogue/review-pictures.ts'
import type { Db } from '../db/types.ts'
import {
  addresses,
  cartLines,
  emailChanges,
  notificationReads,
  notifications,
  productAlerts,
  products,
  reviewReports,
  reviews,
  reviewVotes,
  savedLines,
  sessions,
  users,
  wishlistItems,
} from '../db/schema.ts'
import { fileName, inPages } from './pages.ts'

type Line = Pick<typeof savedLines.$inferSelect, 'productId' | 'quantity' | 'agreedCents' | 'snapshot' | 'createdAt'>

/** The account with its address; null if it has been erased. */
export async function readAccount(db: Db, userId: string): Promise<object | null> {
  const [row] = await db
    .select({
      id: users.id,
      name: users.name,
      email: users.email,
      emailConfirmedAt: users.emailConfirmedAt,
      newEmail: emailChanges.newEmail,
      country: users.country,
      currency: users.currency,
      address: users.shippingDetails,
      addressName: users.shippingLabel,
      openedAt: users.createdAt,
      deletedFrom: users.eraseAt,
    })
    .from(users)
    .leftJoin(emailChanges, eq(emailChanges.userId, users.id))
    .where(eq(users.id, userId))
  return row ?? null
}

/** Reviews that the customer wrote, oldest first, with the names of their pictures in the archive. */
export async function* reviewPages(db: Db, userId: string): AsyncGenerator<object[]> {
  const pages = inPages(reviews.id, eq(reviews.userId, userId), () =>
    db
      .select({
        id: reviews.id,
        product: products.name,
        productId: reviews.productId,
        rating: reviews.rating,
        review: reviews.review,
        writtenAs: reviews.name,
        isVerifiedBuyer: reviews.isVerifiedBuyer,
        answer: reviews.answer,
        answeredAt: reviews.answeredAt,
        helpfulCount: reviews.helpfulCount,
        writtenAt: reviews.createdAt,
      })
      .from(reviews)
      .innerJoin(products, eq(products.id, reviews.productId)),
  )
  for await (const page of pages) {
    const pictures = await readPicturesOf(
      db,
      page.map(({ id }) => id),
    )
    const namesOf = (id: string) => pictures.get(id)?.map(picture => `review-pictures/${fileName(picture)}`) ?? []
    yield page.map(review => ({ ...review, pictures: namesOf(review.id) }))
  }
}

/** Reviews of others that the customer found helpful, or reported. */
export async function* reviewMarkPages(db: Db, userId: string): AsyncGenerator<object[]> {
  for (const [kind, table] of [
    ['found helpful', reviewVotes],
    ['reported', reviewReports],
  ] as const)
    yield* inPages(table.reviewId, eq(table.userId, userId), () =>
      db
        .select({ id: table.reviewId, kind: sql<string>`${kind}::text`, product: products.name, at: table.createdAt })
        .from(table)
        .innerJoin(reviews, eq(reviews.id, table.reviewId))
        .innerJoin(products, eq(products.id, reviews.productId)),
    )
}

/** Saved products, in the order in which they were saved. */
export function wishlistPages(db: Db, userId: string): AsyncGenerator<object[]> {
  return inPages(wishlistItems.id, eq(wishlistItems.userId, userId), () =>
    db
      .select({
        id: wishlistItems.id,
        product: products.name,
        productId: wishlistItems.productId,
        savedAt: wishlistItems.createdAt,
      })
      .from(wishlistItems)
      .innerJoin(products, eq(products.id, wishlistItems.productId)),
  )
}

/** Notifications to this customer alone, oldest first. */
export function notificationPages(db: Db, userId: string): AsyncGenerator<object[]> {
  return inPages(notifications.id, eq(notifications.userId, userId), () =>
    db
      .select({
        id: notifications.id,
        title: notifications.title,
        message: notifications.message,
        link: notifications.link,
        sentAt: notifications.createdAt,
        readAt: notificationReads.readAt,
      })
      .from(notifications)
      .leftJoin(
        notificationReads,
        and(eq(notificationReads.notificationId, notifications.id), eq(notificationReads.userId, userId)),
      ),
  )
}

/** Alerts about products, in the order in which they were set. */
export function alertPages(db: Db, userId: string): AsyncGenerator<object[]> {
  return inPages(productAlerts.id, eq(productAlerts.userId, userId), () =>
    db
      .select({
        id: productAlerts.id,
        product: products.name,
        productId: productAlerts.productId,
        variantId: productAlerts.variantId,
        belowCents: productAlerts.belowCents,
        askedAt: productAlerts.createdAt,
      })
      .from(productAlerts)
      .innerJoin(products, eq(products.id, productAlerts.productId)),
  )
}

/** Addresses beside the account's default one. */
export function addressPages(db: Db, userId: string): AsyncGenerator<object[]> {
  return inPages(addresses.id, eq(addresses.userId, userId), () =>
    db
      .select({ id: addresses.id, name: addresses.label, address: addresses.details, addedAt: addresses.createdAt })
      .from(addresses),
  )
}

/** Lines of the cart, those just removed too. */
export async function* cartPages(db: Db, userId: string): AsyncGenerator<object[]> {
  const pages = inPages(cartLines.id, eq(cartLines.userId, userId), () => db.select().from(cartLines))
  for await (const page of pages) yield page.map(line => ({ ...describeLine(line), removedAt: line.removedAt }))
}

/** Lines that the customer has saved for later. */
export async function* savedLinePages(db: Db, userId: string): AsyncGenerator<object[]> {
  const pages = inPages(savedLines.id, eq(savedLines.userId, userId), () => db.select().from(savedLines))
  for await (const page of pages) yield page.map(describeLine)
}

function describeLine({ productId, quantity, agreedCents, snapshot, createdAt }: Line): object {
  return {
    product: snapshotName(snapshot),
    productId,
    shop: snapshot.shopName,
    quantity,
    agreedCents,
    addedAt: createdAt,
  }
}

/** Browsers in which the customer is or was logged in. */
export async function* devicePages(db: Db, userId: string): AsyncGenerator<object[]> {
  const pages = inPages(sessions.id, eq(sessions.userId, userId), () =>
    db
      .select({
        id: sessions.id,
        userAgent: sessions.userAgent,
        loggedInAt: sessions.createdAt,
        lastUsedAt: sessions.rotatedAt,
        expiresAt: sessions.expiresAt,
        loggedOutAt: sessions.revokedAt,
      })
      .from(sessions),
  )
  for await (const page of pages) yield page.map(row => ({ device: describeDevice(row.userAgent), ...row }))
}
