import { useState } from 'react'
import { Dialog } from '#components/ui/Dialog.tsx'
import type { PriceSummary } from '#contract/order-sums.ts'
import { isOffline, OFFLINE } from '#lib/api.ts'
import { formatExact } from '#lib/format.ts'
import { SumRow } from '../ui/SumRow.tsx'

interface Props {
  summary: PriceSummary
  onAccept: () => void
  onClose: () => void
}

/** Shows the new totals after a price change and asks whether to place the order for them. */
export function PriceChanged({ summary, onAccept, onClose }: Props) {
  const [error, setError] = useState('')

  return (
    <Dialog id="price-changed" title="The price has changed" onClose={onClose}>
      <p className="mt-2">A shop has changed a price since you chose. Your order now costs:</p>
      <dl className="mt-4 space-y-2">
        <SumRow name="Items">{formatExact(summary.itemsCents)}</SumRow>
        <SumRow name="Shipping">{formatExact(summary.shippingCents)}</SumRow>
        <SumRow name="Total" isTotal>
          {formatExact(summary.priceCents)}
        </SumRow>
      </dl>
      <p role="alert" className="mt-4 text-sm font-medium text-bad">
        {error}
      </p>
      <form method="dialog" className="mt-6 grid gap-3 sm:flex sm:justify-end">
        <button className="button-quiet">Not now</button>
        <button type="button" onClick={() => (isOffline() ? setError(OFFLINE) : onAccept())} className="button">
          Accept and place order
        </button>
      </form>
    </Dialog>
  )
}
