import { createHash } from 'node:crypto'
import type { Db } from '#server/db/types.ts'
import { eq } from 'drizzle-orm'
import {
  categories,
  orderLines,
  orders,
  products,
  reviews,
  sellerOrders,
  sellers,
  variants,
} from '#server/db/schema.ts'

type NewVariant = Partial<typeof variants.$inferInsert>
type Figures = Pick<NewVariant, 'priceCents' | 'discount' | 'compareAtCents' | 'stock' | 'sku'>
/** Without `variants`, the product has one variant with these figures. */
type NewProduct = Partial<typeof products.$inferInsert> & Figures & { variants?: NewVariant[] }
type NewSeller = Partial<typeof sellers.$inferInsert>
type NewReview = Partial<typeof reviews.$inferInsert>

let made = 0
let latest = 0

/**
 * Returns a later time than before. The database's clock may give two rows the same time, which leaves their order
 * open.
 */
function nextMoment() {
  latest = Math.max(Date.now(), latest + 1)
  return new Date(latest)
}

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
    .values({ key: `shop-${(made += 1)}`, shopName: 'Ada Shop', createdAt: nextMoment(), ...seller })
    .returning()
  return added!
}

/**
 * Adds a product to `sellerId` or to a new shop. Adds its category if it is missing. `variantId` is its first variant,
 * `variantIds` are all.
 */
export async function addProduct(db: Db, product: NewProduct = {}) {
  const { priceCents = 1999, discount = 0, compareAtCents = null, stock = 5, sku = '', ...own } = product
  const figures = { priceCents, discount, compareAtCents, stock, sku }
  const { variants: kinds = [{}], ...facts } = own
  const category = await addCategory(db, product.category)
  const sellerId = product.sellerId ?? (await addSeller(db)).id
  const handle = `product-${(made += 1)}`
  const names = { handle, slug: handle, name: 'Wooden train', shopName: 'Ada Shop', brand: 'Ada' }
  const [added] = await db
    .insert(products)
    .values({ createdAt: nextMoment(), ...names, ...facts, category, sellerId })
    .returning({ id: products.id })
  const productId = added!.id
  const rows = kinds.map((variant, position) => ({ ...figures, position, ...variant, productId }))
  const variantIds = (await db.insert(variants).values(rows).returning({ id: variants.id })).map(({ id }) => id)
  const [whole] = await db.select().from(products).where(eq(products.id, productId))
  return { ...whole!, stock, variantIds, variantId: variantIds[0]! }
}

/** Adds a shoe that is sold in these sizes, with the SKUs 'SHOE-42' and so on. It ships to Kenya for $5. */
export function addShoe(db: Db, sizes: Record<string, NewVariant>, product: NewProduct = {}) {
  const kinds = Object.entries(sizes).map(([size, variant]): NewVariant => {
    const options: NewVariant['options'] = [
      ['Size', size],
      ['Colour', 'Blue'],
    ]
    return { options, sku: `SHOE-${size}`, ...variant }
  })
  return addProduct(db, { name: 'Shoe', shippingPrices: { Kenya: 500 }, ...product, variants: kinds })
}

/** Changes all variants of a product. */
export async function setVariants(db: Pick<Db, 'update'>, { id }: { id: string }, values: NewVariant) {
  await db.update(variants).set(values).where(eq(variants.productId, id))
}

/** The stock of a product’s only variant. */
export async function stockOf(db: Db, { id }: { id: string }) {
  const [variant] = await db.select({ stock: variants.stock }).from(variants).where(eq(variants.productId, id))
  return variant?.stock
}

/** The stock of each variant of a product. */
export async function stocksOf(db: Db, { id }: { id: string }) {
  const rows = await db.select().from(variants).where(eq(variants.productId, id)).orderBy(variants.position)
  return rows.map(({ stock }) => stock)
}

export async function addReview(db: Db, productId: string, review: NewReview = {}) {
  const [added] = await db
    .insert(reviews)
    .values({ name: 'Grace', review: 'Runs on time.', rating: 5, createdAt: nextMoment(), ...review, productId })
    .returning()
  return added!
}

/** Adds an order of `quantity` units of one product. */
export async function addOrder(
  db: Db,
  { id, variantId, sellerId, shopName }: { id: string; variantId: string; sellerId: string; shopName: string },
  { quantity = 1, ...order }: Partial<typeof orders.$inferInsert> & { quantity?: number } = {},
) {
  const [added] = await db
    .insert(orders)
    .values({
      priceCents: 1999,
      status: 'placed',
      paymentStatus: 'paid',
      paidAt: new Date(),
      createdAt: nextMoment(),
      ...order,
    })
    .returning()
  const [part] = await db
    .insert(sellerOrders)
    .values({ orderId: added!.id, sellerId, shopName, priceCents: 1999 })
    .returning()
  await db.insert(orderLines).values({ sellerOrderId: part!.id, productId: id, variantId, quantity, unitCents: 1999 })
  return added!
}
