import * as z from 'zod/mini'
import { type NewOrder, PriceSummary } from '#contract/orders.ts'
import { doesNotShip, shippingCents, sumsOf } from '#contract/order-sums.ts'
import { discountedCents, MAX_CART_LINES, MAX_ORDER_CENTS, MAX_STOCK } from '#contract/rules.ts'
import type { OrderSnapshot, StoredPicture } from '../db/schema.ts'
import { ConflictError, ServiceError } from '../platform/errors.ts'

/** The total differs from the one that the customer saw. The response has the current amounts as `summary`. */
export class PriceChangedError extends ServiceError {
  constructor(summary: PriceSummary) {
    super('PRICE_CHANGED', 'The price has changed', undefined, { summary: z.encode(PriceSummary, summary) })
  }
}

/** One product of an order; `path` is its place in the request, for errors. */
export interface WantedLine {
  productId: string
  quantity: number
  path: string
}

/** A product's data when it is ordered. */
export interface SoldProduct extends Omit<OrderSnapshot, 'picture'> {
  id: string
  stock: number
  sellerId: string
  shopName: string
  pictures: StoredPicture[]
  shippingPrices: Record<string, number>
}

interface PricedLine {
  productId: string
  quantity: number
  unitCents: number
  shippingCents: number
  snapshot: OrderSnapshot
}

interface SellerPart {
  sellerId: string
  shopName: string
  priceCents: number
  lines: PricedLine[]
}

export interface PricedOrder {
  sums: PriceSummary
  itemCount: number
  parts: SellerPart[]
}

/**
 * The products of a request, each in one line even if the request repeats it. Throws a `ConflictError` for more
 * products than fit into a cart.
 */
export function mergeLines({ groups }: Pick<NewOrder, 'groups'>): WantedLine[] {
  const wanted = new Map<string, WantedLine>()
  for (const [group, { products }] of groups.entries())
    for (const [line, { quantity, productInfo }] of products.entries()) {
      const productId = productInfo._id
      const path = `products.${group}.products.${line}`
      const known = wanted.get(productId) ?? { productId, quantity: 0, path }
      wanted.set(productId, { ...known, quantity: known.quantity + quantity })
    }
  if (wanted.size > MAX_CART_LINES) throw new ConflictError(`An order has at most ${MAX_CART_LINES} products`)
  return [...wanted.values()]
}

/**
 * Prices an order with current prices, each seller's part separately. Throws a `ConflictError` with a field for each
 * product that is out of stock or does not ship to the country, and a `PriceChangedError` when the sum is not the one
 * that the customer saw.
 */
export function priceOrder(
  wanted: WantedLine[],
  sold: Map<string, SoldProduct>,
  { country, seenCents }: { country: string; seenCents: number },
): PricedOrder {
  refuseMissing(wanted, sold)
  const lines = wanted.map(({ productId, quantity, path }) => ({ quantity, path, product: sold.get(productId)! }))
  const strays = lines.filter(({ product }) => shippingCents(product, country) === undefined)
  if (strays.length > 0) throw refuseLines(doesNotShip(country), strays, ({ product }) => product.name)
  const sums = sumsOf(lines, country)
  const itemCount = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  if (sums.priceCents > MAX_ORDER_CENTS || itemCount > MAX_STOCK) throw new ConflictError('This order is too large')
  if (sums.priceCents !== seenCents) throw new PriceChangedError(sums)
  const bySeller = Map.groupBy(lines, ({ product }) => product.sellerId)
  const parts = [...bySeller].map(([sellerId, own]) => ({
    sellerId,
    shopName: own[0]!.product.shopName,
    priceCents: sumsOf(own, country).priceCents,
    lines: own.map(({ quantity, product }) => pricedLine(product, quantity, country)),
  }))
  return { sums, itemCount, parts }
}

function refuseMissing(wanted: WantedLine[], sold: Map<string, SoldProduct>): void {
  const missing = wanted.filter(({ productId, quantity }) => (sold.get(productId)?.stock ?? 0) < quantity)
  if (missing.length > 0) throw refuseLines('Out of stock', missing, line => lack(sold.get(line.productId)))
}

function lack(product: SoldProduct | undefined): string {
  if (!product) return 'This product is no longer sold'
  return product.stock > 0 ? `Only ${product.stock} left of ${product.name}` : `${product.name} is out of stock`
}

function refuseLines<Line extends { path: string }>(message: string, lines: Line[], say: (line: Line) => string) {
  return new ConflictError(message, Object.fromEntries(lines.map(line => [line.path, say(line)])))
}

function pricedLine(product: SoldProduct, quantity: number, country: string): PricedLine {
  const { id, slug, name, category, brand, priceCents, discount, pictures } = product
  return {
    productId: id,
    quantity,
    unitCents: discountedCents(product),
    shippingCents: shippingCents(product, country) ?? 0,
    snapshot: { slug, name, category, brand, priceCents, discount, picture: pictures[0] },
  }
}
