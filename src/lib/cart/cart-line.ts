import type { CartLine } from '#contract/cart.ts'
import type { Product } from '#contract/product.ts'
import { productPath } from '#contract/page-urls.ts'
import { discountedCents } from '#contract/rules.ts'
import { lineName } from '#contract/variants.ts'
import { formatExact } from '../format.ts'

/** Current unit price in cents. */
export function unitCents({ product }: Pick<CartLine, 'product'>): number {
  return discountedCents(product)
}

/**
 * Whether the customer has to choose a variant: the line was added before the product had several, or its variant is no
 * longer sold.
 */
export function needsChoice({ isGone, variant, product }: CartLine): boolean {
  return !isGone && !variant && product.variantCount > 1
}

/** Whether no unit can be bought; the line is then shown in grey. */
export function isSoldOut(line: CartLine): boolean {
  return !needsChoice(line) && (line.isGone || line.product.stock === 0)
}

/** The total discount on these lines, in cents. */
export function savedCents(lines: CartLine[]): number {
  return lines.reduce((sum, line) => sum + line.quantity * (line.product.priceCents - unitCents(line)), 0)
}

/** Names a line among others of the same product: 'Sneaker (Size 43)'. */
export function nameOf({ product, variant }: Pick<CartLine, 'product' | 'variant'>): string {
  return lineName(product.name, { title: variant?.title })
}

/** The page on which the line's variant is shown. */
export function pathOf({ product, variant }: Pick<CartLine, 'product' | 'variant'>): string {
  return productPath(product, variant?.title ? variant._id : undefined)
}

/** Whether the current price is higher than the one the customer agreed to. */
export function hasRisen(line: Pick<CartLine, 'product' | 'agreedCents'> & { isGone?: boolean }): boolean {
  return !line.isGone && line.agreedCents !== undefined && unitCents(line) > line.agreedCents
}

/** Notices for a cart line: that it cannot be bought as it is, or that its price has changed. */
export function noticesOf(line: CartLine): { isGood: boolean; text: string }[] {
  const { isGone, quantity, product, agreedCents } = line
  if (isGone) return [{ isGood: false, text: 'No longer sold' }]
  if (needsChoice(line)) return []
  const notices = []
  if (product.stock === 0) notices.push({ isGood: false, text: 'Out of Stock' })
  else if (quantity > product.stock) notices.push({ isGood: false, text: `Only ${product.stock} left` })
  const cents = unitCents(line)
  if (agreedCents !== undefined && cents !== agreedCents) {
    const change = cents > agreedCents ? 'The price rose' : 'The price fell'
    notices.push({
      isGood: cents < agreedCents,
      text: `${change} from ${formatExact(agreedCents)} to ${formatExact(cents)}`,
    })
  }
  return notices
}

/** Text of the shipping badge. `shippingPrices` is keyed by country. */
export function shippingTo(
  country: string,
  { shippingPrices }: Pick<Product, 'shippingPrices'>,
): { ships: boolean; text: string } {
  const ships = Object.hasOwn(shippingPrices, country)
  return { ships, text: ships ? `Ships to ${country}` : `Does not ship to ${country}` }
}
