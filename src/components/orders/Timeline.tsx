import type { TimelineStep } from '#contract/parcels.ts'
import { formatMoment } from '#lib/orders/orders.ts'

/** What happened, oldest first. */
export function Timeline({ steps }: { steps: TimelineStep[] }) {
  return (
    <ol className="mt-3 space-y-2 border-l-2 border-line pl-4">
      {steps.map(({ at, text }) => (
        <li key={`${at}${text}`}>
          <span className="block font-medium">{text}</span>
          <time dateTime={at} className="text-sm text-muted">
            {formatMoment(at)}
          </time>
        </li>
      ))}
    </ol>
  )
}
