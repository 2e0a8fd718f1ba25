import type { Cart } from '#contract/cart.ts'
import type { Product } from '#contract/product.ts'
import { shippingCents } from '#contract/order-sums.ts'
import type { NewOrder } from '#contract/orders.ts'
import { discountedCents } from '#contract/rules.ts'
import { type ChosenVariant, pleaseChoose } from '#contract/variants.ts'
import { asVariant, optionNames } from '../catalogue/variants.ts'
import { formatCount } from '../format.ts'

/** One product to order. */
export interface BasketLine {
  /** The cart line that the order consumes; absent when the product is bought without the cart. */
  lineId?: string
  /** The unit price that the customer last agreed to. */
  agreedCents?: number | undefined
  quantity: number
  /** The product with the price, discount, stock and picture of the variant. */
  product: Product
  variant?: ChosenVariant | undefined
}

export interface BasketGroup {
  sellerId: string
  shopName: string
  lines: BasketLine[]
}

/** The buyable lines of a cart. */
export function basketOf({ groups }: Pick<Cart, 'groups'>): BasketLine[] {
  return groups.flatMap(({ products }) => products.map(({ _id, ...line }) => ({ lineId: _id, ...line })))
}

/** The lines grouped by shop, in their original order. */
export function bySeller(lines: BasketLine[]): BasketGroup[] {
  const groups = Map.groupBy(lines, ({ product }) => product.sellerId)
  return [...groups].map(([sellerId, own]) => ({ sellerId, shopName: own[0]?.product.shopName ?? '', lines: own }))
}

/** The lines whose products do not ship to the country. */
export function unshippableLines(lines: BasketLine[], country: string): BasketLine[] {
  return lines.filter(({ product }) => shippingCents(product, country) === undefined)
}

/** The countries to which at least one of the products ships. */
export function destinations(lines: BasketLine[]): Set<string> {
  return new Set(lines.flatMap(({ product }) => Object.keys(product.shippingPrices)))
}

/** The reason why a line cannot be ordered, apart from the country; null if it can. */
export function whyNotOrderable({ quantity, product: { stock, variants }, variant }: BasketLine): string | null {
  if (variants.length > 0 && !variant) return pleaseChoose(optionNames(variants))
  if (quantity <= stock) return null
  return stock === 0 ? 'Out of Stock' : `Only ${stock} left`
}

/** Item count of a summary: the units of cart lines; a product bought without the cart always counts as one. */
export function itemCount(lines: BasketLine[]): number {
  return lines.reduce((sum, { lineId, quantity }) => sum + (lineId ? quantity : 1), 0)
}

/** What a summary counts: '3 items' of the cart, but '1 item × 3' of a product bought without it. */
export function itemsText(lines: BasketLine[]): string {
  const count = itemCount(lines)
  const units = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  return formatCount(count, 'item', 'items') + (units > count ? ` × ${units}` : '')
}

/** The lines in the shape of an order request. */
export function wantedGroups(lines: BasketLine[]): NewOrder['groups'] {
  return bySeller(lines).map(group => ({
    sellerId: group.sellerId,
    shopName: group.shopName,
    priceCents: group.lines.reduce((sum, { quantity, product }) => sum + quantity * discountedCents(product), 0),
    products: group.lines.map(({ lineId, quantity, product, variant }) => ({
      ...(lineId && { _id: lineId }),
      ...(variant?._id && { variantId: variant._id }),
      quantity,
      // Descriptions can be long, and orders do not need them.
      productInfo: { ...product, description: '', variants: [] },
    })),
  }))
}

/** A product to buy without the cart. Without `variantId`, its only variant. */
export interface Purchase {
  slug: string
  variantId?: string
  quantity: number
}

/**
 * Parses the checkout's query: `?buy=SLUG&variant=ID&quantity=N` buys a product without the cart. Null for the cart.
 */
export function boughtAtOnce(search: string): Purchase | null {
  const query = new URLSearchParams(search)
  const slug = query.get('buy')
  const quantity = Number(query.get('quantity') ?? 1)
  const variantId = query.get('variant')
  if (!slug) return null
  return {
    slug,
    ...(variantId && { variantId }),
    quantity: Number.isSafeInteger(quantity) && quantity > 0 ? quantity : 1,
  }
}

/** The line for a purchase; null if the product has no such variant. */
export function purchasedLine(product: Product, { variantId, quantity }: Purchase): BasketLine | null {
  const { variants } = product
  if (variants.length === 0 || (variants.length > 1 && !variantId)) return { quantity, product }
  const variant = variantId ? variants.find(({ _id }) => _id === variantId) : variants[0]
  return variant ? { quantity, product: asVariant(product, variant), variant } : null
}
