import { createHash } from 'node:crypto'
import type { Db } from '#server/db/types.ts'
import { categories, orderLines, orders, products, reviews, sellerOrders, sellers } from '#server/db/schema.ts'

type NewProduct = Partial<typeof products.$inferInsert>
type NewSeller = Partial<typeof sellers.$inferInsert>
type NewReview = Partial<typeof reviews.$inferInsert>

let made = 0

/** A stored picture: the hash of a text. */
export function picture(of: string) {
  return { hash: createHash('sha256').update(of).digest('hex') }
}

export async function addCategory(db: Db, name = 'Toys') {
  await db.insert(categories).values({ name }).onConflictDoNothing()
  return name
}

export async function addSeller(db: Db, seller: NewSeller = {}) {
  const [added] = await db
    .insert(sellers)
    .values({ key: `shop-${(made += 1)}`, shopName: 'Ada Shop', ...seller })
    .returning()
  return added!
}

/** Adds a product to `sellerId` or to a new shop. Adds its category if it is missing. */
export async function addProduct(db: Db, product: NewProduct = {}) {
  const category = await addCategory(db, product.category)
  const sellerId = product.sellerId ?? (await addSeller(db)).id
  const handle = `product-${(made += 1)}`
  const shop = { shopName: 'Ada Shop', brand: 'Ada', priceCents: 1999, stock: 5 }
  const [added] = await db
    .insert(products)
    .values({ handle, slug: handle, name: 'Wooden train', ...shop, ...product, category, sellerId })
    .returning()
  return added!
}

export async function addReview(db: Db, productId: string, review: NewReview = {}) {
  const [added] = await db
    .insert(reviews)
    .values({ name: 'Grace', review: 'Runs on time.', rating: 5, ...review, productId })
    .returning()
  return added!
}

/** Adds an order of `quantity` units of one product. */
export async function addOrder(
  db: Db,
  { id, sellerId, shopName }: { id: string; sellerId: string; shopName: string },
  { quantity = 1, ...order }: Partial<typeof orders.$inferInsert> & { quantity?: number } = {},
) {
  const [added] = await db
    .insert(orders)
    .values({ priceCents: 1999, status: 'placed', paymentStatus: 'paid', paidAt: new Date(), ...order })
    .returning()
  const [part] = await db
    .insert(sellerOrders)
    .values({ orderId: added!.id, sellerId, shopName, priceCents: 1999 })
    .returning()
  await db.insert(orderLines).values({ sellerOrderId: part!.id, productId: id, quantity, unitCents: 1999 })
  return added!
}
