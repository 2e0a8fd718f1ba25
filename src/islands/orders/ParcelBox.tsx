import { BusyButton } from '#components/ui/Spinner.tsx'
import { trackingUrl } from '#contract/carriers.ts'
import type { ArrivalReporter, Parcel } from '#contract/parcels.ts'
import { formatDay } from '#lib/orders/orders.ts'
import { receiveParcel } from '#stores/orders/parcels.ts'
import { useOnce } from '../ui/once.ts'
import { OrderedProducts } from './OrderItems.tsx'

const REPORTED: Record<ArrivalReporter, string> = {
  seller: '',
  customer: ', as you told us',
  time: ', we think: two weeks have passed since we expected it',
}

/** A parcel: how to follow it, what is in it, and a button for the customer who has received it. */
export function ParcelBox({ parcel }: { parcel: Parcel }) {
  const [busy, once] = useOnce<'receive'>()
  const { _id, number, status, products } = parcel
  const name = `Parcel ${number}`
  return (
    <section aria-label={name} className="border-t border-line pt-3 first-of-type:border-t-0">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h3 className="font-semibold">{name}</h3>
          <p className="text-sm text-muted">{progressOf(parcel)}</p>
          <Carrier parcel={parcel} />
        </div>
        {status === 'sent' && (
          <BusyButton
            type="button"
            isBusy={busy.has('receive')}
            onClick={() => void once('receive', () => receiveParcel(_id))}
            className="button-quiet no-print"
          >
            I have received it
          </BusyButton>
        )}
      </div>
      <OrderedProducts products={products} />
    </section>
  )
}

function progressOf({ status, sentAt, expectedAt, arrivedAt, reportedBy }: Parcel): string {
  if (status === 'arrived')
    return `Arrived ${arrivedAt ? formatDay(arrivedAt) : ''}${reportedBy ? REPORTED[reportedBy] : ''}`
  const isLate = Date.parse(expectedAt) < Date.now()
  return `Sent ${formatDay(sentAt)}, ${isLate ? 'late: it should have been here' : 'expected'} by ${formatDay(expectedAt)}`
}

function Carrier({ parcel: { carrier, trackingNumber } }: { parcel: Parcel }) {
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
