import { and, asc, eq } from 'drizzle-orm'
import type { About, AboutIds } from '#contract/chat.ts'
import { orderPath, productPath } from '#contract/page-urls.ts'
import type { Db } from '../db/types.ts'
import { orderLines, orders, products, sellerOrders, type StoredAbout } from '../db/schema.ts'
import { pictureAddress } from '../catalogue/pictures.ts'
import { isVisible } from '../catalogue/products.ts'
import { MalformedError, NotFoundError } from '../platform/errors.ts'
import type { Between } from './conversations.ts'

/**
 * Reads the product or order that a customer writes about. Throws a `MalformedError` unless exactly one id is given,
 * and a `NotFoundError` for a hidden or another shop's product, or an order that is not the customer's or has no part
 * of this shop.
 */
export async function readAbout(db: Db, between: Between, { productId, orderId }: AboutIds): Promise<StoredAbout> {
  if (productId && !orderId) return readProduct(db, between, productId)
  if (orderId && !productId) return readOrder(db, between, orderId)
  throw new MalformedError('A message is about a product or an order', { about: 'Name one of both' })
}

async function readProduct(db: Db, { sellerId }: Between, id: string): Promise<StoredAbout> {
  const [product] = await db
    .select({
      slug: products.slug,
      name: products.name,
      pictures: products.pictures,
      priceCents: products.finalCents,
    })
    .from(products)
    .where(and(eq(products.id, id), eq(products.sellerId, sellerId), isVisible))
  if (!product) throw new NotFoundError('Product not found')
  const { slug, name, pictures, priceCents } = product
  return { kind: 'product', id, name, picture: pictures[0], priceCents, path: productPath({ slug }) }
}

async function readOrder(db: Db, { userId, sellerId }: Between, id: string): Promise<StoredAbout> {
  const [part] = await db
    .select({ number: orders.number, priceCents: sellerOrders.priceCents, snapshot: orderLines.snapshot })
    .from(orders)
    .innerJoin(sellerOrders, and(eq(sellerOrders.orderId, orders.id), eq(sellerOrders.sellerId, sellerId)))
    .leftJoin(orderLines, eq(orderLines.sellerOrderId, sellerOrders.id))
    .where(and(eq(orders.id, id), eq(orders.userId, userId)))
    .orderBy(asc(orderLines.id))
    .limit(1)
  if (!part) throw new NotFoundError('Order not found')
  const { number, priceCents, snapshot } = part
  return { kind: 'order', id, name: `Order ${number}`, picture: snapshot?.picture, priceCents, path: orderPath(id) }
}

/** The card for the API. */
export function toAbout({ kind, id, name, picture, priceCents, path }: StoredAbout): About {
  const ids = kind === 'product' ? { productId: id } : { orderId: id }
  return { ...ids, name, image: pictureAddress(picture ?? null) ?? '', priceCents, path }
}
