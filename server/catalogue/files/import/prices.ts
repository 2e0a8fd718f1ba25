import type { PriceDraft } from '#server/catalogue/files/drafts.ts'

/** The times between which a sale price counts; null on a side without a limit. */
export interface SaleTimes {
  from: Date | null
  until: Date | null
}

/** What shoppers pay today. A sale price that is not lower than the regular one does not count. */
export function priceToday(regularCents: number, saleCents: number | null, { from, until }: SaleTimes): PriceDraft {
  const now = new Date()
  const isOnSale = saleCents !== null && saleCents < regularCents && (!from || from <= now) && (!until || now < until)
  return isOnSale
    ? { paidCents: saleCents, compareAtCents: regularCents }
    : { paidCents: regularCents, compareAtCents: null }
}

/** The warning for a file with dates of sale prices. */
export function describeSaleTimes(line: number): string {
  return `line ${line}: there are dates of sale prices: the prices of today count until the file is imported again`
}
