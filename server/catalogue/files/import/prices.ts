import type { PriceDraft } from '../drafts.ts'

/** The period in which a sale price applies; null where it has no limit. */
export interface SaleTimes {
  from: Date | null
  until: Date | null
}

/** The price that shoppers pay today. A sale price that is not lower than the regular price is ignored. */
export function priceToday(regularCents: number, saleCents: number | null, { from, until }: SaleTimes): PriceDraft {
  const now = new Date()
  const isOnSale = saleCents !== null && saleCents < regularCents && (!from || from <= now) && (!until || now < until)
  return isOnSale
    ? { paidCents: saleCents, compareAtCents: regularCents }
    : { paidCents: regularCents, compareAtCents: null }
}

/** The warning for a file that limits sale prices to dates. */
export function describeSaleTimes(line: number): string {
  return `line ${line}: there are dates of sale prices: the prices of today count until the file is imported again`
}
