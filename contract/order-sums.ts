import type { Product } from './catalog.ts'
import type { PriceSummary } from './orders.ts'
import { discountedCents } from './rules.ts'

type Priced = Pick<Product, 'priceCents' | 'discount' | 'shippingPrices'>

/** What a line ships for to a country in cents, whatever its quantity; undefined when the product does not ship there. */
export function shippingCents(
  { shippingPrices }: Pick<Product, 'shippingPrices'>,
  country: string,
): number | undefined {
  return Object.hasOwn(shippingPrices, country) ? shippingPrices[country] : undefined
}

/** What lines cost with their shipping to a country. A product that does not ship there adds no shipping. */
export function sumsOf(lines: { quantity: number; product: Priced }[], country: string): PriceSummary {
  let [itemsCents, shipping] = [0, 0]
  for (const { quantity, product } of lines) {
    itemsCents += quantity * discountedCents(product)
    shipping += shippingCents(product, country) ?? 0
  }
  return { itemsCents, shippingCents: shipping, priceCents: itemsCents + shipping }
}

/** What the shop says of a product that does not ship to the country of an order. */
export function doesNotShip(country: string): string {
  return `This product does not ship to ${country}. Please remove it from your cart to continue.`
}
