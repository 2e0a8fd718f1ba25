import type * as z from 'zod/mini'
import { renamed } from './endpoint.ts'
import type { Product } from './product.ts'
import { discountedCents } from './rules.ts'
import { Usd } from './wire.ts'

/** The current totals of an order, sent with a PRICE_CHANGED error. */
export const PriceSummary = renamed(
  { itemsPrice: Usd, shippingPrice: Usd, price: Usd },
  { itemsPrice: 'itemsCents', shippingPrice: 'shippingCents', price: 'priceCents' },
)
export type PriceSummary = z.output<typeof PriceSummary>

type Priced = Pick<Product, 'priceCents' | 'discount' | 'shippingPrices'>

/** Shipping of a line to a country in cents, for any quantity. Undefined if the product does not ship there. */
export function shippingCents(
  { shippingPrices }: Pick<Product, 'shippingPrices'>,
  country: string,
): number | undefined {
  return Object.hasOwn(shippingPrices, country) ? shippingPrices[country] : undefined
}

/** Totals of these lines with shipping to a country. A product that does not ship there adds no shipping. */
export function sumsOf(lines: { quantity: number; product: Priced }[], country: string): PriceSummary {
  let [itemsCents, shipping] = [0, 0]
  for (const { quantity, product } of lines) {
    itemsCents += quantity * discountedCents(product)
    shipping += shippingCents(product, country) ?? 0
  }
  return { itemsCents, shippingCents: shipping, priceCents: itemsCents + shipping }
}

/** The message for a product that does not ship to an order's country. */
export function doesNotShip(country: string): string {
  return `This product does not ship to ${country}. Please remove it from your cart to continue.`
}
