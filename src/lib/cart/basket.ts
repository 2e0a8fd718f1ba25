import type { Cart } from '#contract/cart.ts'
import type { Product } from '#contract/catalog.ts'
import { shippingCents } from '#contract/order-sums.ts'
import type { NewOrder } from '#contract/orders.ts'
import { discountedCents } from '#contract/rules.ts'

/** One product to order. */
export interface BasketLine {
  /** The cart line that the order consumes; absent when the product is bought without the cart. */
  lineId?: string
  quantity: number
  product: Product
}

export interface BasketGroup {
  sellerId: string
  shopName: string
  lines: BasketLine[]
}

/** The buyable lines of a cart. */
export function basketOf({ groups }: Pick<Cart, 'groups'>): BasketLine[] {
  return groups.flatMap(({ products }) =>
    products.map(({ _id, quantity, product }) => ({ lineId: _id, quantity, product })),
  )
}

/** The lines grouped by shop, in their original order. */
export function bySeller(lines: BasketLine[]): BasketGroup[] {
  const groups = Map.groupBy(lines, ({ product }) => product.sellerId)
  return [...groups].map(([sellerId, own]) => ({ sellerId, shopName: own[0]?.product.shopName ?? '', lines: own }))
}

/** The lines whose products do not ship to the country. */
export function strays(lines: BasketLine[], country: string): BasketLine[] {
  return lines.filter(({ product }) => shippingCents(product, country) === undefined)
}

/** The countries to which at least one of the products ships. */
export function destinations(lines: BasketLine[]): Set<string> {
  return new Set(lines.flatMap(({ product }) => Object.keys(product.shippingPrices)))
}

/** Why a line cannot be ordered, whatever the country; null if it can. */
export function lackOf({ quantity, product: { stock } }: BasketLine): string | null {
  if (quantity <= stock) return null
  return stock === 0 ? 'Out of Stock' : `Only ${stock} left`
}

/** Item count of a summary: units for cart lines, but one for a product bought at once, whatever its quantity. */
export function itemCount(lines: BasketLine[]): number {
  return lines.reduce((sum, { lineId, quantity }) => sum + (lineId ? quantity : 1), 0)
}

/** The lines in the shape of an order request. */
export function wantedGroups(lines: BasketLine[]): NewOrder['groups'] {
  return bySeller(lines).map(group => ({
    sellerId: group.sellerId,
    shopName: group.shopName,
    priceCents: group.lines.reduce((sum, { quantity, product }) => sum + quantity * discountedCents(product), 0),
    products: group.lines.map(({ lineId, quantity, product }) => ({
      ...(lineId && { _id: lineId }),
      quantity,
      // Descriptions can be long, and orders do not need them.
      productInfo: { ...product, description: '' },
    })),
  }))
}

/** Parses what the checkout's query buys at once: `?buy=SLUG&quantity=N`. Null for the cart. */
export function boughtAtOnce(search: string): { slug: string; quantity: number } | null {
  const query = new URLSearchParams(search)
  const slug = query.get('buy')
  const quantity = Number(query.get('quantity') ?? 1)
  return slug ? { slug, quantity: Number.isSafeInteger(quantity) && quantity > 0 ? quantity : 1 } : null
}
