import { inArray } from 'drizzle-orm'
import type { Cart, CartLine } from '#contract/cart.ts'
import { cartOf } from '#contract/cart-sums.ts'
import { sumsOf } from '#contract/order-sums.ts'
import { fromSnapshot, type Product } from '#contract/catalog.ts'
import type { Db } from '../db/types.ts'
import { cartLines, products } from '../db/schema.ts'
import { readAccount } from '../accounts/account.ts'
import { ownLines } from './cart.ts'
import { pictureAddress } from '../catalogue/pictures.ts'
import { selectProducts, toProduct } from '../catalogue/products.ts'

type StoredLine = typeof cartLines.$inferSelect

/** The customer's cart with current products, prices and stock. Lines are in the sequence in which they were added. */
export async function readCart(db: Db, userId: string): Promise<Cart> {
  const stored = await db.select().from(cartLines).where(ownLines(userId)).orderBy(cartLines.createdAt, cartLines.id)
  const sold = await readSold(
    db,
    stored.map(({ productId }) => productId),
  )
  const cart = cartOf(stored.map(line => toLine(line, sold.get(line.productId))))
  return { ...cart, shippingCents: await shippingTo(db, userId, cart) }
}

async function shippingTo(db: Db, userId: string, { groups }: Cart): Promise<number> {
  const lines = groups.flatMap(({ products }) => products)
  if (lines.length === 0) return 0
  const { shippingDetails } = await readAccount(db, userId)
  return sumsOf(lines, shippingDetails.country).shippingCents
}

async function readSold(db: Db, productIds: string[]): Promise<Map<string, Product>> {
  if (productIds.length === 0) return new Map()
  const rows = await selectProducts(db, {
    where: inArray(products.id, productIds),
    order: [products.id],
    limit: productIds.length,
  })
  // A cart shows no descriptions.
  return new Map(rows.map(row => [row.id, toProduct({ ...row, description: '' })]))
}

function toLine(line: StoredLine, sold: Product | undefined): CartLine {
  const { id, quantity, agreedCents } = line
  return { _id: id, quantity, agreedCents, product: sold ?? productOf(line), isGone: !sold }
}

/** A product that is no longer sold. */
function productOf({ productId, agreedCents, snapshot: { picture, ...known } }: StoredLine): Product {
  const image = picture && pictureAddress(picture)
  const images = image ? [image] : []
  return fromSnapshot({ _id: productId, ...known, priceCents: agreedCents, discount: 0, images })
}
