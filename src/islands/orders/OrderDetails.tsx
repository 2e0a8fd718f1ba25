import { useStore } from '@nanostores/react'
import { Suspense, useEffect } from 'react'
import { OrdersSkeleton } from '#components/orders/OrdersSkeleton.tsx'
import { PostalAddress } from '#components/orders/PostalAddress.tsx'
import { Refunds } from '#components/orders/Refunds.tsx'
import { StatusBadge } from '#components/orders/StatusBadge.tsx'
import { Timeline } from '#components/orders/Timeline.tsx'
import { paymentPath, receiptPath } from '#contract/page-urls.ts'
import { ownAddressLines } from '#lib/accounts/address-fields.ts'
import { formatExact } from '#lib/format.ts'
import { formatMoment, hasReceipt, isPayable, orderIdOf, PAYMENT_TEXTS, paymentTone } from '#lib/orders/orders.ts'
import { $order, loadOrder, type OrderView } from '#stores/orders/orders.ts'
import { endTracking } from '#stores/orders/tracking.ts'
import { Blank } from '../ui/Blank.tsx'
import { late } from '../ui/late.tsx'
import { CancelOrder } from './CancelOrder.tsx'
import { OrderAgain } from './OrderAgain.tsx'
import { SellerOrders } from './SellerOrders.tsx'

const Returns = late(
  async () => (await import('../returns/Returns.tsx')).Returns,
  'Cancellations and returns could not be loaded',
)

/** The order named in the URL. */
export function OrderDetails() {
  const load = useStore($order)
  useEffect(() => void loadOrder(orderIdOf(location.pathname)), [])

  if (load.state === 'loading') return <OrdersSkeleton />
  if (load.state === 'ready') return <Details view={load.value} />
  if (load.state === 'missing')
    return <Blank text="There is no such order." href="/dashboard/my-orders" action="My Orders" />
  return <Blank text={load.message} onRetry={loadOrder} />
}

function Details({ view: { order, sellerOrders } }: { view: OrderView }) {
  const { _id, number, date, status, paymentStatus, shippingInfo, priceCents, shippingCents, timeline } = order
  // Dialog.tsx moves the focus to this container when the button that opened it is gone.
  return (
    <div tabIndex={-1} className="space-y-5 focus:outline-none">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0">
          <p className="text-lg font-semibold">
            <span className="sr-only">Order Id: </span>
            {number}
          </p>
          <p className="text-muted">
            Placed on <time dateTime={date}>{formatMoment(date)}</time>
          </p>
        </div>
        <div className="no-print flex flex-wrap gap-2">
          {isPayable(order) && (
            <a href={paymentPath(_id)} className="button">
              Pay Now
            </a>
          )}
          {hasReceipt(order) && (
            <a href={receiptPath(_id)} className="button-quiet">
              Receipt
            </a>
          )}
          <button type="button" onClick={() => print()} className="button-quiet">
            Print
          </button>
          {isPayable(order) && <CancelOrder orderId={_id} />}
          {status !== 'pending' && <OrderAgain orderId={_id} />}
        </div>
      </div>
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2 print:grid-cols-2">
        <section aria-labelledby="delivery" className="card p-5">
          <h2 id="delivery" className="font-bold">
            Deliver to {shippingInfo.name}
          </h2>
          <PostalAddress lines={ownAddressLines(shippingInfo)} />
        </section>
        <section aria-labelledby="price" className="card p-5">
          <h2 id="price" className="font-bold">
            Total price
          </h2>
          <p className="mt-2 text-2xl font-extrabold">{formatExact(priceCents)}</p>
          <p className="text-sm text-muted">
            In US dollars
            {shippingCents !== undefined && `, ${formatExact(shippingCents)} of it for shipping`}
          </p>
          {order.refundedCents > 0 && <p className="text-sm">{formatExact(order.refundedCents)} refunded so far</p>}
          <Refunds refunds={order.refunds} />
          <p className="mt-3 flex flex-wrap items-center gap-2">
            <span className="text-muted">Payment status:</span>
            <StatusBadge text={PAYMENT_TEXTS[paymentStatus]} tone={paymentTone(order)} />
            {status === 'cancelled' && <StatusBadge text="Cancelled" tone="plain" />}
          </p>
        </section>
      </div>
      <SellerOrders order={order} sellerOrders={sellerOrders} />
      <section aria-labelledby="timeline" className="card p-5">
        <h2 id="timeline" className="font-bold">
          What happened
        </h2>
        <Timeline steps={sellerOrders.length > 1 ? timeline.filter(step => !step.sellerOrderId) : timeline} />
      </section>
      <p className="no-print text-sm text-muted">
        Anyone with a link from our emails can follow this order, but cannot see your address or payment.{' '}
        <button type="button" onClick={() => void endTracking(_id)} className="link min-h-11">
          End these links
        </button>
      </p>
      <Suspense>{status !== 'pending' && <Returns orderId={_id} />}</Suspense>
    </div>
  )
}
