import type { Cart } from '#contract/cart.ts'
import type { Product } from '#contract/catalog.ts'
import { shippingCents } from '#contract/order-sums.ts'
import type { NewOrder } from '#contract/orders.ts'
import { discountedCents } from '#contract/rules.ts'

/** What is about to be ordered of one product. */
export interface BasketLine {
  /** The cart line that the order uses up; none when the product is bought at once. */
  lineId?: string
  quantity: number
  product: Product
}

export interface BasketGroup {
  sellerId: string
  shopName: string
  lines: BasketLine[]
}

/** The lines of a cart that can be bought. */
export function basketOf({ groups }: Pick<Cart, 'groups'>): BasketLine[] {
  return groups.flatMap(({ products }) =>
    products.map(({ _id, quantity, product }) => ({ lineId: _id, quantity, product })),
  )
}

/** The lines by shop, in the order in which they came. */
export function bySeller(lines: BasketLine[]): BasketGroup[] {
  const groups = Map.groupBy(lines, ({ product }) => product.sellerId)
  return [...groups].map(([sellerId, own]) => ({ sellerId, shopName: own[0]?.product.shopName ?? '', lines: own }))
}

/** The lines of products that have no price for shipping to the country. */
export function strays(lines: BasketLine[], country: string): BasketLine[] {
  return lines.filter(({ product }) => shippingCents(product, country) === undefined)
}

/** The countries to which at least one of the products ships. */
export function destinations(lines: BasketLine[]): Set<string> {
  return new Set(lines.flatMap(({ product }) => Object.keys(product.shippingPrices)))
}

/** What keeps a line from being ordered, whatever the country; null when nothing does. */
export function lackOf({ quantity, product: { stock } }: BasketLine): string | null {
  if (quantity <= stock) return null
  return stock === 0 ? 'Out of Stock' : `Only ${stock} left`
}

/** How many items a summary counts: the units of a cart, and one for what is bought at once, whatever its quantity. */
export function itemCount(lines: BasketLine[]): number {
  return lines.reduce((sum, { lineId, quantity }) => sum + (lineId ? quantity : 1), 0)
}

/** The lines as an order names them. */
export function wantedGroups(lines: BasketLine[]): NewOrder['groups'] {
  return bySeller(lines).map(group => ({
    sellerId: group.sellerId,
    shopName: group.shopName,
    priceCents: group.lines.reduce((sum, { quantity, product }) => sum + quantity * discountedCents(product), 0),
    products: group.lines.map(({ lineId, quantity, product }) => ({
      ...(lineId && { _id: lineId }),
      quantity,
      // As in a cart: descriptions may be long, and no order needs them.
      productInfo: { ...product, description: '' },
    })),
  }))
}

/** What the address of the checkout asks to buy at once: `?buy=SLUG&quantity=N`; null for the cart. */
export function boughtAtOnce(search: string): { slug: string; quantity: number } | null {
  const query = new URLSearchParams(search)
  const slug = query.get('buy')
  const quantity = Number(query.get('quantity') ?? 1)
  return slug ? { slug, quantity: Number.isSafeInteger(quantity) && quantity > 0 ? quantity : 1 } : null
}
