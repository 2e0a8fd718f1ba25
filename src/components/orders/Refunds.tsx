import type { OrderRefund } from '#contract/parcels.ts'
import { formatExact } from '#lib/format.ts'
import { formatMoment, refundDestination } from '#lib/orders/orders.ts'

/** What was refunded when and to where. */
export function Refunds({ refunds }: { refunds: OrderRefund[] }) {
  if (refunds.length === 0) return null
  return (
    <ul aria-label="Refunds" className="mt-2 space-y-1 text-sm">
      {refunds.map(({ at, amountCents, ...refund }, index) => (
        <li key={`${at}${index}`}>
          <span className="font-semibold tabular-nums">{formatExact(amountCents)}</span> {refundDestination(refund)}
          <span className="block text-muted">{at ? <time dateTime={at}>{formatMoment(at)}</time> : 'On its way'}</span>
        </li>
      ))}
    </ul>
  )
}
