import { eq, inArray } from 'drizzle-orm'
import type { Cart, CartLine } from '#contract/cart.ts'
import { cartOf } from '#contract/cart-sums.ts'
import { sumsOf } from '#contract/order-sums.ts'
import { fromSnapshot, type Product } from '#contract/product.ts'
import { withDeliveryDays } from '#contract/delivery.ts'
import { EMPTY_ADDRESS } from '#contract/rules.ts'
import type { Db } from '../db/types.ts'
import { cartLines, products, sellers, users, variants } from '../db/schema.ts'
import { findPicture, pictureAddress } from '../catalogue/pictures.ts'
import { type ProductRow, selectProducts, toProduct } from '../catalogue/products.ts'
import { orderableUnits, toChosen } from '../catalogue/variants.ts'
import { ownLines } from './lines.ts'

/** A line of the cart, or one that is saved for later. */
type StoredLine = Omit<typeof cartLines.$inferSelect, 'removedAt'>

/** A line's variant, its orderable units and how long its shop's parcels take. */
interface Chosen extends Pick<typeof sellers.$inferSelect, 'handlingDays' | 'transitDays'> {
  variant: typeof variants.$inferSelect
  units: number
}

/** The customer's cart with current products, prices and stock. Lines are in the sequence in which they were added. */
export async function readCart(db: Db, userId: string): Promise<Cart> {
  const rows = await db
    .select({ line: cartLines, shippingDetails: users.shippingDetails })
    .from(cartLines)
    .innerJoin(users, eq(users.id, cartLines.userId))
    .where(ownLines(userId))
    .orderBy(cartLines.createdAt, cartLines.id)
  const stored = rows.map(({ line }) => line)
  const cart = cartOf(await toLines(db, stored))
  const { country } = rows[0]?.shippingDetails ?? EMPTY_ADDRESS
  const inStock = cart.groups.flatMap(({ products }) => products)
  return { ...cart, shippingCents: sumsOf(inStock, country).shippingCents }
}

/** Stored lines with their current products, prices and stock. */
export async function toLines(db: Db, stored: StoredLine[]): Promise<CartLine[]> {
  const current = await readCurrentProducts(db, stored)
  return stored.map(line => toLine(line, current.get(line.id)))
}

type CurrentProduct = Pick<CartLine, 'product' | 'variant'>

/** The products of these lines with the figures of the lines' variants, by line id. */
async function readCurrentProducts(db: Db, lines: StoredLine[]): Promise<Map<string, CurrentProduct>> {
  if (lines.length === 0) return new Map()
  const productIds = [...new Set(lines.map(({ productId }) => productId))]
  const rows = await selectProducts(db, {
    where: inArray(products.id, productIds),
    order: [products.id],
    limit: productIds.length,
  })
  const rowOf = new Map(rows.map(row => [row.id, row]))
  const variantIds = lines.map(({ variantId }) => variantId)
  const found = await db
    .select({
      variant: variants,
      units: orderableUnits,
      handlingDays: sellers.handlingDays,
      transitDays: sellers.transitDays,
    })
    .from(variants)
    .innerJoin(products, eq(products.id, variants.productId))
    .innerJoin(sellers, eq(sellers.id, products.sellerId))
    .where(inArray(variants.id, variantIds))
  const chosenOf = new Map(found.map(each => [each.variant.id, each]))
  const current = new Map<string, CurrentProduct>()
  for (const { id, productId, variantId } of lines) {
    const row = rowOf.get(productId)
    const chosen = chosenOf.get(variantId)
    if (row && chosen)
      current.set(id, { product: withFiguresOf(row, chosen), variant: toChosen(variantId, chosen.variant) })
    // If no variant is chosen, or the chosen one is gone, the customer has to choose one: until then no unit can be
    // ordered.
    else if (row && (variantId === '' || row.variantCount > 1))
      current.set(id, { product: toProduct({ ...row, stock: 0, description: '' }) })
  }
  return current
}

/** A product with the price, discount, stock and picture of one variant, and without its description. */
function withFiguresOf(row: ProductRow, { variant, units: stock, handlingDays, transitDays }: Chosen): Product {
  const { priceCents, discount, finalCents: highestCents, picture } = variant
  const own = picture && findPicture(picture, row.pictures)
  const pictures = own ? [own, ...row.pictures.filter(each => each !== own)] : row.pictures
  const product = toProduct({ ...row, priceCents, discount, highestCents, stock, pictures, description: '' })
  return { ...product, ...withDeliveryDays({ handlingDays, transitDays }) }
}

function toLine(line: StoredLine, current: CurrentProduct | undefined): CartLine {
  const { id, quantity, agreedCents, variantId, snapshot } = line
  const shown = current ?? { product: productOf(line), variant: toChosen(variantId, snapshot.variant) }
  return { _id: id, quantity, agreedCents, ...shown, isGone: !current }
}

/** A product that is no longer sold. */
function productOf({ productId, agreedCents, snapshot }: StoredLine): Product {
  const { picture, variant, ...known } = snapshot
  const image = picture && pictureAddress(picture)
  const images = image ? [image] : []
  return fromSnapshot({ _id: productId, ...known, priceCents: agreedCents, discount: 0, images })
}
