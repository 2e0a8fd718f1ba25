import type { ShippingCents } from '#server/db/schema.ts'
import type { Changed } from '#server/services/catalogue-changes.ts'
import { plainDollars } from '#server/usd.ts'

/** A product after a change, in a line. */
export function describeProduct({ slug, priceCents, discount, finalCents, stock, isHidden }: Changed): string {
  const price =
    discount > 0
      ? `$${plainDollars(finalCents)} ($${plainDollars(priceCents)} less ${discount} %)`
      : `$${plainDollars(finalCents)}`
  return `${slug}: ${price}, ${stock} in stock, ${isHidden ? 'hidden' : 'visible'}`
}

/** Where a shop ships to, and for how much, by country. */
export function describeRates(rates: ShippingCents): string {
  const named = Object.entries(rates).map(([country, cents]) => `${country} for $${plainDollars(cents)}`)
  return named.length > 0 ? named.toSorted().join(', ') : 'no country'
}

/** '1 line', '1,204 lines'; `more` where the plural is another word. */
export function many(count: number, one: string, more = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : more}`
}
