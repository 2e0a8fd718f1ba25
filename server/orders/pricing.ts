import * as z from 'zod/mini'
import type { DayRange, DeliveryDays } from '#contract/delivery.ts'
import { PriceSummary } from '#contract/order-sums.ts'
import { doesNotShip, shippingCents, sumsOf } from '#contract/order-sums.ts'
import { discountedCents, MAX_CART_LINES, MAX_ORDER_CENTS, MAX_STOCK } from '#contract/rules.ts'
import { lineName, variantTitle } from '#contract/variants.ts'
import { findPicture } from '../catalogue/pictures.ts'
import { variantSnapshot } from '../catalogue/variants.ts'
import type { OrderSnapshot, StoredPicture, VariantSnapshot } from '../db/schema.ts'
import { ConflictError, ServiceError } from '../platform/errors.ts'
import { sumBy } from '../platform/sum.ts'

/** The total differs from the one that the customer saw. The response has the current amounts as `summary`. */
export class PriceChangedError extends ServiceError {
  constructor(summary: PriceSummary) {
    super('PRICE_CHANGED', 'The price has changed', undefined, { summary: z.encode(PriceSummary, summary) })
  }
}

/** One variant of an order; `path` is its place in the request, for errors. */
export interface WantedLine {
  productId: string
  variantId: string
  quantity: number
  path: string
}

/** A variant's data when it is ordered. */
export interface SoldVariant extends Omit<OrderSnapshot, 'picture' | 'variant'>, VariantSnapshot {
  id: string
  productId: string
  /** Units that can be ordered. */
  stock: number
  sellerId: string
  shopName: string
  pictures: StoredPicture[]
  /** The picture in `pictures` that shows this variant. */
  picture: StoredPicture | null
  shippingPrices: Record<string, number>
  /** The shop's delivery promise; if it has none, null here and no entry for the country in `transitDays`. */
  handlingDays: DayRange | null
  transitDays: Record<string, DayRange>
  /** Whether the shop refunds shipping when all of its part is returned. */
  refundsShipping: boolean
}

interface PricedLine {
  productId: string
  variantId: string
  quantity: number
  unitCents: number
  shippingCents: number
  snapshot: OrderSnapshot
}

interface SellerPart {
  sellerId: string
  shopName: string
  priceCents: number
  deliveryDays: DeliveryDays | null
  refundsShipping: boolean
  lines: PricedLine[]
}

export interface PricedOrder {
  sums: PriceSummary
  itemCount: number
  parts: SellerPart[]
}

/**
 * The variants of a request, each in one line even if the request repeats it. Throws a `ConflictError` for more than
 * fit into a cart.
 */
export function mergeLines(chosen: readonly WantedLine[]): WantedLine[] {
  const wanted = new Map<string, WantedLine>()
  for (const line of chosen) {
    // Products that are no longer sold have no variant.
    const key = `${line.productId}\n${line.variantId}`
    const known = wanted.get(key) ?? { ...line, quantity: 0 }
    wanted.set(key, { ...known, quantity: known.quantity + line.quantity })
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
  sold: ReadonlyMap<string, SoldVariant>,
  { country, seenCents }: { country: string; seenCents: number },
): PricedOrder {
  requireInStock(wanted, sold)
  const lines = wanted.map(({ variantId, quantity, path }) => ({ quantity, path, product: sold.get(variantId)! }))
  const unshippable = lines.filter(({ product }) => shippingCents(product, country) === undefined)
  if (unshippable.length > 0) throw linesError(doesNotShip(country), unshippable, ({ product }) => nameOf(product))
  const sums = sumsOf(lines, country)
  const itemCount = sumBy(lines, ({ quantity }) => quantity)
  if (sums.priceCents > MAX_ORDER_CENTS || itemCount > MAX_STOCK) throw new ConflictError('This order is too large')
  if (sums.priceCents !== seenCents) throw new PriceChangedError(sums)
  const bySeller = Map.groupBy(lines, ({ product }) => product.sellerId)
  const parts = [...bySeller].map(([sellerId, own]) => ({
    sellerId,
    shopName: own[0]!.product.shopName,
    priceCents: sumsOf(own, country).priceCents,
    deliveryDays: promiseOf(own[0]!.product, country),
    refundsShipping: own[0]!.product.refundsShipping,
    lines: own.map(({ quantity, product }) => pricedLine(product, quantity, country)),
  }))
  return { sums, itemCount, parts }
}

/** What a shop promises for a country; null if it promises nothing. */
export function promiseOf(
  { handlingDays, transitDays }: Pick<SoldVariant, 'handlingDays' | 'transitDays'>,
  country: string,
): DeliveryDays | null {
  const transit = Object.hasOwn(transitDays, country) ? transitDays[country] : undefined
  return handlingDays && transit ? { handling: handlingDays, transit } : null
}

function requireInStock(wanted: WantedLine[], sold: ReadonlyMap<string, SoldVariant>): void {
  const missing = wanted.filter(line => (soldAs(line, sold)?.stock ?? 0) < line.quantity)
  if (missing.length > 0) throw linesError('Out of stock', missing, line => describeShortage(soldAs(line, sold)))
}

/** The variant that a line wants; undefined if it is not for sale or belongs to another product than the line names. */
function soldAs({ variantId, productId }: WantedLine, sold: ReadonlyMap<string, SoldVariant>): SoldVariant | undefined {
  const variant = sold.get(variantId)
  return variant?.productId === productId ? variant : undefined
}

/** Names a variant to its customer: 'Cirrus Running Shoes (Size 43, Blue)'. */
export function nameOf({ name, options }: Pick<SoldVariant, 'name' | 'options'>): string {
  return lineName(name, { title: variantTitle(options) })
}

function describeShortage(product: SoldVariant | undefined): string {
  if (!product) return 'This product is no longer sold'
  return product.stock > 0 ? `Only ${product.stock} left of ${nameOf(product)}` : `${nameOf(product)} is out of stock`
}

function linesError<Line extends { path: string }>(message: string, lines: Line[], reasonFor: (line: Line) => string) {
  return new ConflictError(message, Object.fromEntries(lines.map(line => [line.path, reasonFor(line)])))
}

function pricedLine(product: SoldVariant, quantity: number, country: string): PricedLine {
  const { id, productId, slug, name, category, brand, priceCents, discount, pictures, picture } = product
  return {
    productId,
    variantId: id,
    quantity,
    unitCents: discountedCents(product),
    shippingCents: shippingCents(product, country) ?? 0,
    snapshot: {
      slug,
      name,
      category,
      brand,
      priceCents,
      discount,
      picture: (picture && findPicture(picture, pictures)) ?? pictures[0],
      variant: variantSnapshot(product),
    },
  }
}
