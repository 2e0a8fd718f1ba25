import { PostalAddress } from '#components/orders/PostalAddress.tsx'
import { StatusBadge } from '#components/orders/StatusBadge.tsx'
import type { Order, SellerOrder } from '#contract/orders.ts'
import { orderPath } from '#contract/page-urls.ts'
import { ownAddressLines } from '#lib/accounts/address-fields.ts'
import { formatCount, formatExact } from '#lib/format.ts'
import { DELIVERY_TEXTS, DELIVERY_TONES, formatMoment } from '#lib/orders/orders.ts'
import { arrivalText } from '#lib/orders/arrival.ts'
import type { OrderView } from '#stores/orders/orders.ts'
import { SumRow } from '../ui/SumRow.tsx'
import { OrderedProducts } from './OrderItems.tsx'

/** The summary of an order after its payment: the products of each shop, the address and the paid amounts. */
export function OrderReceipt({ view: { order, sellerOrders } }: { view: OrderView }) {
  const { _id, number, date, shippingInfo, paymentStatus } = order
  return (
    <section aria-labelledby="receipt" className="card p-4 text-left sm:p-6">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div>
          <h2 id="receipt" className="text-xl font-bold">
            Order {number}
          </h2>
          <p className="text-sm text-muted">
            Placed on <time dateTime={date}>{formatMoment(date)}</time>
          </p>
        </div>
        <div className="flex flex-wrap gap-2 max-sm:w-full">
          {/* The main button of an unpaid order is 'Try again'. */}
          <a
            href={orderPath(_id)}
            className={`${paymentStatus === 'unpaid' ? 'button-quiet' : 'button'} max-sm:w-full`}
          >
            Track order
          </a>
          <a href="/products" className="button-quiet max-sm:w-full">
            Continue shopping
          </a>
        </div>
      </div>
      <div className="mt-5 grid grid-cols-1 gap-x-8 gap-y-6 md:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="space-y-5">
          {sellerOrders.map(part => (
            <Parcel key={part._id} part={part} />
          ))}
        </div>
        <div className="space-y-5 max-md:border-t max-md:border-line max-md:pt-5">
          <div>
            <h3 className="font-bold">Deliver to {shippingInfo.name}</h3>
            <PostalAddress lines={ownAddressLines(shippingInfo)} />
          </div>
          <Sums order={order} />
        </div>
      </div>
    </section>
  )
}

function Parcel({ part: { shopName, deliveryStatus, products, arrival } }: { part: SellerOrder }) {
  return (
    <section aria-label={shopName}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line pb-2">
        <h3 className="font-bold">{shopName}</h3>
        <StatusBadge text={deliveryStatus} tone={DELIVERY_TONES[deliveryStatus]} />
        <p className="w-full text-sm text-muted">{DELIVERY_TEXTS[deliveryStatus]}</p>
        {arrival && <p className="w-full text-sm">{arrivalText(arrival)}</p>}
      </div>
      <OrderedProducts products={products} />
    </section>
  )
}

function Sums({ order: { items, priceCents, shippingCents, paymentStatus } }: { order: Order }) {
  return (
    <dl className="space-y-1.5">
      {shippingCents !== undefined && (
        <>
          <SumRow name={formatCount(items, 'item', 'items')}>{formatExact(priceCents - shippingCents)}</SumRow>
          <SumRow name="Shipping">{formatExact(shippingCents)}</SumRow>
        </>
      )}
      <SumRow name={paymentStatus === 'paid' ? 'Paid' : 'Total'} isTotal>
        {formatExact(priceCents)}
      </SumRow>
    </dl>
  )
}
