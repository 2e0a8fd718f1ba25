import { percentOff } from '#contract/rules.ts'

/** '-10%': what a discount really takes off. Empty if that is less than one percent. */
export function discountText(price: { priceCents: number; discount: number }): string {
  const percent = percentOff(price)
  return percent > 0 ? `-${percent}%` : ''
}
