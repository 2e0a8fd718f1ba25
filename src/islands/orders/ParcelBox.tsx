import { useRef } from 'react'
import { BusyButton } from '#components/ui/Spinner.tsx'
import type { Parcel } from '#contract/parcels.ts'
import { receiveParcel } from '#stores/orders/order-actions.ts'
import { useOnce } from '../ui/use-once.ts'
import { OrderedProducts } from './OrderItems.tsx'
import { ParcelFacts } from './ParcelFacts.tsx'

/** A parcel: its tracking, its products, and a button to confirm its arrival. */
export function ParcelBox({ parcel, shopName }: { parcel: Parcel; shopName: string }) {
  const [busy, once] = useOnce<'receive'>()
  const { _id, number, status, products } = parcel
  const section = useRef<HTMLElement>(null)
  const name = `Parcel ${number}`

  async function receive() {
    // The focused button has been removed.
    if (await receiveParcel(_id)) section.current?.focus({ preventScroll: true })
  }

  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label={`${name} of ${shopName}`}
      className="border-t border-line pt-3 first-of-type:border-t-0 focus:outline-none"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h3 className="font-semibold">{name}</h3>
          <ParcelFacts parcel={parcel} />
        </div>
        {status === 'sent' && (
          <BusyButton
            type="button"
            isBusy={busy.has('receive')}
            onClick={() => void once('receive', receive)}
            className="button-quiet no-print"
          >
            I have received it
          </BusyButton>
        )}
      </div>
      <OrderedProducts products={products} hasArrived={status === 'arrived'} />
    </section>
  )
}
