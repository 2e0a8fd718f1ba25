import { percentOff } from '#contract/rules.ts'

/** The text of a discount badge: '-10%'. Empty for a real discount of less than one percent. */
export function discountText(price: { priceCents: number; discount: number }): string {
  const percent = percentOff(price)
  return percent > 0 ? `-${percent}%` : ''
}
