import type { Cart, CartGroup, CartLine } from './cart.ts'
import { discountedCents } from './rules.ts'

/** Builds a cart: the lines that can be bought grouped by seller, those beyond the stock apart, and the totals. */
export function cartOf(lines: CartLine[]): Cart {
  const buyable = lines.filter(({ quantity, product }) => quantity <= product.stock)
  return {
    groups: bySeller(buyable),
    outOfStock: lines.filter(({ quantity, product }) => quantity > product.stock),
    count: unitsOf(lines),
    buyableCount: unitsOf(buyable),
    priceCents: buyable.reduce((sum, { quantity, product }) => sum + quantity * discountedCents(product), 0),
  }
}

function bySeller(lines: CartLine[]): CartGroup[] {
  const groups = Map.groupBy(lines, ({ product }) => product.sellerId)
  return [...groups].map(([sellerId, products]) => ({ sellerId, shopName: products[0]!.product.shopName, products }))
}

/** Every line of a cart, buyable lines first. */
export function cartLinesOf({ groups, outOfStock }: Cart): CartLine[] {
  return [...groups.flatMap(({ products }) => products), ...outOfStock]
}

function unitsOf(lines: CartLine[]): number {
  return lines.reduce((sum, { quantity }) => sum + quantity, 0)
}
