import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { OrdersSkeleton } from '#components/orders/OrdersSkeleton.tsx'
import { StatusBadge } from '#components/orders/StatusBadge.tsx'
import { Thumbnail } from '#components/ui/Thumbnail.tsx'
import { orderPath } from '#contract/page-urls.ts'
import type { TrackedOrder as Order, TrackedPart, TrackedProduct } from '#contract/parcels.ts'
import { loginPath } from '#lib/navigate.ts'
import { arrivalText } from '#lib/orders/arrival.ts'
import { DELIVERY_TEXTS, DELIVERY_TONES, deliveryText, formatDay } from '#lib/orders/orders.ts'
import { $customer } from '#stores/accounts/session.ts'
import { $tracking, trackOrder } from '#stores/orders/tracking.ts'
import { Blank } from '../ui/Blank.tsx'
import { ParcelFacts } from './ParcelFacts.tsx'

/** The progress of the order of a mailed link, for anybody who has the link. */
export function TrackedOrder() {
  const tracking = useStore($tracking)
  useEffect(() => void trackOrder(), [])

  if (tracking.state === 'loading') return <OrdersSkeleton />
  if (tracking.state === 'ready') return <Progress order={tracking.order} />
  if (tracking.state === 'dead') return <Dead message={tracking.message} />
  return <Blank text={tracking.message} onRetry={trackOrder} />
}

function Dead({ message }: { message: string }) {
  const isSignedIn = useStore($customer) !== null
  return (
    <Blank
      text={`${message}.`}
      href={isSignedIn ? '/dashboard/my-orders' : loginPath('/dashboard/my-orders')}
      action={isSignedIn ? 'My Orders' : 'Log in to see your orders'}
    >
      <p className="max-w-text text-muted">
        Open the link in the latest email about your order, or log in to see all your orders.
      </p>
    </Blank>
  )
}

function Progress({ order: { orderId, number, parts, until } }: { order: Order }) {
  const isSignedIn = useStore($customer) !== null
  return (
    <div className="space-y-5">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="text-lg font-semibold">Order {number}</p>
        <a href={isSignedIn ? orderPath(orderId) : loginPath(orderPath(orderId))} className="button-quiet">
          {isSignedIn ? 'See everything' : 'Log in to see everything'}
        </a>
      </div>
      {parts.map((part, at) => (
        <Part key={`${at}`} part={part} />
      ))}
      <p className="text-sm text-muted">
        Anyone with this link can see this page until {formatDay(until)}. The customer can turn it off on the order’s
        page.
      </p>
    </div>
  )
}

function Part({ part }: { part: TrackedPart }) {
  const { shopName, deliveryStatus, parcels, products, arrival, returns } = part
  return (
    <section aria-label={shopName} className="card px-5 py-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line py-3">
        <h2 dir="auto" className="font-bold">
          {shopName}
        </h2>
        <StatusBadge text={deliveryText(part)} tone={DELIVERY_TONES[deliveryStatus]} />
        {parcels.length === 0 && <p className="w-full text-sm text-muted">{DELIVERY_TEXTS[deliveryStatus]}</p>}
        {arrival && parcels.length === 0 && <p className="w-full text-sm">{arrivalText(arrival)}</p>}
      </div>
      {parcels.map(parcel => (
        <section
          key={parcel.number}
          aria-label={`Parcel ${parcel.number} from ${shopName}`}
          className="border-t border-line pt-3 first-of-type:border-t-0"
        >
          <h3 className="font-semibold">Parcel {parcel.number}</h3>
          <ParcelFacts parcel={parcel} isMain={parcel.status === 'sent'} />
          <Products products={parcel.products} />
        </section>
      ))}
      {parcels.length > 0 && products.length > 0 && (
        <h3 className="border-t border-line pt-3 font-semibold">Not sent yet</h3>
      )}
      {arrival && parcels.length > 0 && <p className="text-sm text-muted">{arrivalText(arrival)}</p>}
      <Products products={products} />
      {returns.length > 0 && (
        <ul
          aria-label={`Cancellations and returns at ${shopName}`}
          className="space-y-1 border-t border-line py-3 text-sm"
        >
          {returns.map(({ at, text }, index) => (
            <li key={`${at}${index}`} className="flex flex-wrap justify-between gap-x-4">
              <span dir="auto">{text}</span>
              <time dateTime={at} className="text-muted">
                {formatDay(at)}
              </time>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Products({ products }: { products: TrackedProduct[] }) {
  return (
    <ul className="divide-y divide-line">
      {products.map(({ name, quantity, image }, at) => (
        <li key={`${at}`} className="flex items-center gap-4 py-3">
          <Thumbnail image={image} size={64} className="size-16 shrink-0 rounded-control bg-sunken object-cover" />
          <p className="min-w-0">
            <span dir="auto" className="block break-words font-semibold leading-snug">
              {name}
            </span>
            <span className="text-sm text-muted">Quantity {quantity}</span>
          </p>
        </li>
      ))}
    </ul>
  )
}
