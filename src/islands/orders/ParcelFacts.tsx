import { trackingUrl } from '#contract/parcels.ts'
import type { ArrivalReporter, Parcel } from '#contract/parcels.ts'
import { isOver } from '#lib/orders/arrival.ts'
import { formatDay, formatPromisedDay } from '#lib/orders/orders.ts'

type Facts = Omit<Parcel, '_id' | 'number' | 'products'>

const REPORTED: Record<ArrivalReporter, string> = {
  seller: '',
  customer: ', as you told us',
  time: ', we think: two weeks have passed since we expected it',
}

/** Where a parcel is, and how to follow it. */
export function ParcelFacts({ parcel }: { parcel: Facts }) {
  return (
    <>
      <p className="text-sm text-muted">{progressOf(parcel)}</p>
      <Carrier parcel={parcel} />
    </>
  )
}

function progressOf({ status, sentAt, expectedAt, arrivedAt, reportedBy }: Facts): string {
  if (status === 'arrived')
    return `Arrived ${arrivedAt ? formatDay(arrivedAt) : ''}${reportedBy ? REPORTED[reportedBy] : ''}`
  return `Sent ${formatDay(sentAt)}, ${isOver(expectedAt) ? 'late: it was expected' : 'expected'} by ${formatPromisedDay(expectedAt)}`
}

function Carrier({ parcel: { carrier, trackingNumber } }: { parcel: Facts }) {
  if (!carrier && !trackingNumber) return null
  const link = trackingUrl(carrier ?? null, trackingNumber ?? null)
  return (
    <p className="break-words text-sm">
      {[carrier, trackingNumber].filter(Boolean).join(' · ')}
      {link && (
        <>
          {' '}
          <a href={link} target="_blank" rel="noreferrer" className="no-print whitespace-nowrap text-accent underline">
            Track<span className="sr-only"> it at {carrier}, in a new tab</span>
          </a>
        </>
      )}
    </p>
  )
}
