import { useStore } from '@nanostores/react'
import { formatPrice } from '#lib/format.ts'
import { $currency } from '#stores/ui/currency.ts'

/** A price in the customer's currency, in whole units. Sums that will be charged are exact: `formatExact`. */
export function Amount({ cents }: { cents: number }) {
  const currency = useStore($currency, { ssr: 'initial' })
  // Another script may have converted the server's price already; hydration must not change it back.
  return (
    <span data-usd={cents} suppressHydrationWarning>
      {formatPrice(cents, currency)}
    </span>
  )
}
