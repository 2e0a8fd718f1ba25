import { and, eq, sql } from 'drizzle-orm'
import type { Cart, CartLine } from '#contract/cart.ts'
import { cartOf } from '#contract/cart-sums.ts'
import { sumsOf } from '#contract/order-sums.ts'
import { fromSnapshot, type Product } from '#contract/product.ts'
import { withDeliveryDays } from '#contract/delivery.ts'
import { EMPTY_ADDRESS } from '#contract/rules.ts'
import { isAnyOf, prepared } from '../db/prepared.ts'
import type { Db } from '../db/types.ts'
import { cartLines, products, sellers, users, variants } from '../db/schema.ts'
import { findPicture, pictureAddress } from '../catalogue/pictures.ts'
import { isVisible, productColumns, toProduct } from '../catalogue/products.ts'
import { orderableUnits, toChosen } from '../catalogue/variants.ts'
import { ownLines } from './lines.ts'

/** A line of the cart, or one that is saved for later. */
type StoredLine = Omit<typeof cartLines.$inferSelect, 'removedAt'>

const { description: _, ...shownColumns } = productColumns

/** The highest sum that is sent: no order may cost as much, and much higher numbers are not exact. */
const MAX_SUM_CENTS = 1e15

const linesOfCart = prepared(db =>
  db
    .select({ line: cartLines, shippingDetails: users.shippingDetails })
    .from(cartLines)
    .innerJoin(users, eq(users.id, cartLines.userId))
    .where(ownLines(sql.placeholder('userId')))
    .orderBy(cartLines.createdAt, cartLines.id)
    .prepare('lines_of_cart'),
)

/** Visible products, each once for every variant in `variantIds`, or without one. */
const productsOfLines = prepared(db =>
  db
    .select({
      product: shownColumns,
      variant: {
        id: variants.id,
        options: variants.options,
        sku: variants.sku,
        priceCents: variants.priceCents,
        discount: variants.discount,
        finalCents: variants.finalCents,
        picture: variants.picture,
      },
      units: orderableUnits,
      handlingDays: sellers.handlingDays,
      transitDays: sellers.transitDays,
    })
    .from(products)
    .innerJoin(sellers, eq(sellers.id, products.sellerId))
    .leftJoin(variants, and(eq(variants.productId, products.id), isAnyOf(variants.id, 'variantIds')))
    .where(and(isAnyOf(products.id, 'productIds'), isVisible))
    .prepare('products_of_lines'),
)

type SoldNow = Awaited<ReturnType<ReturnType<typeof productsOfLines>['execute']>>[number]

/** The customer's cart with current products, prices and stock. Lines are in the sequence in which they were added. */
export async function readCart(db: Db, userId: string): Promise<Cart> {
  const rows = await linesOfCart(db).execute({ userId })
  const stored = rows.map(({ line }) => line)
  const cart = cartOf(await toLines(db, stored))
  const { country } = rows[0]?.shippingDetails ?? EMPTY_ADDRESS
  const inStock = cart.groups.flatMap(({ products }) => products)
  const priceCents = Math.min(cart.priceCents, MAX_SUM_CENTS)
  return { ...cart, priceCents, shippingCents: sumsOf(inStock, country).shippingCents }
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
  const productIds = lines.map(({ productId }) => productId)
  const variantIds = lines.map(({ variantId }) => variantId)
  const rows = await productsOfLines(db).execute({ productIds, variantIds })
  const byProduct = Map.groupBy(rows, ({ product }) => product.id)
  const current = new Map<string, CurrentProduct>()
  for (const { id, productId, variantId } of lines) {
    const own = byProduct.get(productId) ?? []
    const product = own[0]?.product
    const chosen = own.find(({ variant }) => variant?.id === variantId)
    if (chosen?.variant)
      current.set(id, { product: withFiguresOf(chosen, chosen.variant), variant: toChosen(variantId, chosen.variant) })
    // If no variant is chosen, or the chosen one is gone, the customer has to choose one: until then no unit can be
    // ordered.
    else if (product && (variantId === '' || product.variantCount > 1))
      current.set(id, { product: toProduct({ ...product, stock: 0, description: '' }) })
  }
  return current
}

/** A product with the price, discount, stock and picture of one variant, and without its description. */
function withFiguresOf(
  { product: known, units: stock, handlingDays, transitDays }: SoldNow,
  { priceCents, discount, finalCents: highestCents, picture }: NonNullable<SoldNow['variant']>,
): Product {
  const own = picture && findPicture(picture, known.pictures)
  const pictures = own ? [own, ...known.pictures.filter(each => each !== own)] : known.pictures
  const product = toProduct({ ...known, priceCents, discount, highestCents, stock, pictures, description: '' })
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
