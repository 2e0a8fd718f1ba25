import type { ShippingCents } from '#server/db/schema.ts'
import type { Changed } from '#server/services/keeping.ts'

/** Exact, such as 12.50. */
export function dollars(cents: number): string {
  return (cents / 100).toFixed(2)
}

export function describeProduct({ slug, priceCents, discount, finalCents, stock, isHidden }: Changed): string {
  const price =
    discount > 0 ? `$${dollars(finalCents)} ($${dollars(priceCents)} less ${discount} %)` : `$${dollars(finalCents)}`
  return `${slug}: ${price}, ${stock} in stock, ${isHidden ? 'hidden' : 'visible'}`
}

export function describeRates(rates: ShippingCents): string {
  const named = Object.entries(rates).map(([country, cents]) => `${country} for $${dollars(cents)}`)
  return named.length > 0 ? named.toSorted().join(', ') : 'no country'
}

export function many(count: number, one: string, more = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : more}`
}
