import { useStore } from '@nanostores/react'
import type { ReactNode } from 'react'
import { formatPrice } from '#lib/format.ts'
import { $currency } from '#stores/ui/currency.ts'

/** A price in the customer's currency, in whole units. */
export function Amount({ cents }: { cents: number }) {
  const currency = useStore($currency, { ssr: 'initial' })
  // Another script may have converted the server's price already; hydration must not change it back.
  return (
    <span data-usd={cents} suppressHydrationWarning>
      {formatPrice(cents, currency)}
    </span>
  )
}

/** One line of a bill: name and amount. The last one is the total. */
export function SumRow({ name, children, isTotal = false }: { name: string; children: ReactNode; isTotal?: boolean }) {
  return (
    <div
      className={`flex flex-wrap justify-between gap-x-4 ${isTotal ? 'border-t border-line pt-3 text-lg font-bold' : ''}`}
    >
      <dt className={isTotal ? '' : 'text-muted'}>{name}</dt>
      <dd className="ml-auto text-right font-semibold tabular-nums">{children}</dd>
    </div>
  )
}
