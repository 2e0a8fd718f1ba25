import { useStore } from '@nanostores/react'
import { formatPrice } from '#lib/format.ts'
import { $currency } from '#stores/ui/currency.ts'

/** A price in the customer's currency, whole numbers. */
export function Amount({ cents }: { cents: number }) {
  const currency = useStore($currency, { ssr: 'initial' })
  // The server's dollars may be converted already when React takes them over; it must leave them so.
  return (
    <span data-usd={cents} suppressHydrationWarning>
      {formatPrice(cents, currency)}
    </span>
  )
}
