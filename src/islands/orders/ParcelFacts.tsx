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

interface Props {
  parcel: Facts
  /** The carrier's page is the main thing to do here. */
  isMain?: boolean
}

/** Where a parcel is, and how to follow it. */
export function ParcelFacts({ parcel, isMain = false }: Props) {
  return (
    <>
      <p className="text-sm text-muted">{progressOf(parcel)}</p>
      <Carrier parcel={parcel} isMain={isMain} />
    </>
  )
}

function progressOf({ status, sentAt, expectedAt, arrivedAt, reportedBy }: Facts): string {
  if (status === 'arrived')
    return `Arrived ${arrivedAt ? formatDay(arrivedAt) : ''}${reportedBy ? REPORTED[reportedBy] : ''}`
  return `Sent ${formatDay(sentAt)}, ${isOver(expectedAt) ? 'late: it was expected' : 'expected'} by ${formatPromisedDay(expectedAt)}`
}

function Carrier({ parcel: { carrier, trackingNumber }, isMain }: Required<Props>) {
  if (!carrier && !trackingNumber) return null
  const link = trackingUrl(carrier ?? null, trackingNumber ?? null)
  return (
    <p className="break-words text-sm">
      {[carrier, trackingNumber].filter(Boolean).join(' · ')}
      {link && (
        <>
          {' '}
          <a
            href={link}
            target="_blank"
            rel="noreferrer"
            className={`no-print ${isMain ? 'button my-2 w-fit' : 'whitespace-nowrap text-accent underline'}`}
          >
            Track
            <span className={isMain ? '' : 'sr-only'}>
              {' '}
              it at {carrier}
              <span className="sr-only">, in a new tab</span>
            </span>
          </a>
        </>
      )}
    </p>
  )
}
