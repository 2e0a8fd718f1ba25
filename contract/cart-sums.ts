import type { Cart, CartLine } from './cart.ts'
import { discountedCents } from './rules.ts'

/** The cart that these lines make: by seller, what cannot be bought apart, with the sums of the spec. */
export function cartOf(lines: CartLine[]): Cart {
  const buyable = lines.filter(({ quantity, product }) => quantity <= product.stock)
  const bySeller = Map.groupBy(buyable, ({ product }) => product.sellerId)
  return {
    groups: [...bySeller].map(([sellerId, products]) => ({
      sellerId,
      shopName: products[0]?.product.shopName ?? '',
      products,
    })),
    outOfStock: lines.filter(({ quantity, product }) => quantity > product.stock),
    count: unitsOf(lines),
    buyableCount: unitsOf(buyable),
    priceCents: buyable.reduce((sum, { quantity, product }) => sum + quantity * discountedCents(product), 0),
  }
}

/** Every line of a cart, those that can be bought first. */
export function linesOf({ groups, outOfStock }: Cart): CartLine[] {
  return [...groups.flatMap(({ products }) => products), ...outOfStock]
}

function unitsOf(lines: CartLine[]): number {
  return lines.reduce((sum, { quantity }) => sum + quantity, 0)
}
