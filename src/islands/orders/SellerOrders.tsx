import { useStore } from '@nanostores/react'
import { Timeline } from '#components/orders/Timeline.tsx'
import { StatusBadge } from '#components/orders/StatusBadge.tsx'
import type { OrderedProduct } from '#contract/ordered-product.ts'
import type { Order, SellerOrder } from '#contract/orders.ts'
import { chatPath, invoicePath, shopPath } from '#contract/page-urls.ts'
import { arrivalText } from '#lib/orders/arrival.ts'
import { deliveryText, DELIVERY_TONES, hasReceipt } from '#lib/orders/orders.ts'
import { $returns } from '#stores/returns/returns.ts'
import { OrderedProducts } from './OrderItems.tsx'
import { ParcelBox } from './ParcelBox.tsx'

/** Each seller's part of the order with its delivery status. */
export function SellerOrders({ order, sellerOrders }: { order: Order; sellerOrders: SellerOrder[] }) {
  return sellerOrders.map(part => (
    <SellerPart key={part._id} order={order} part={part} isAlone={sellerOrders.length === 1} />
  ))
}

interface Props {
  order: Order
  part: SellerOrder
  /** The order has only this part, so the order's timeline already shows its steps. */
  isAlone: boolean
}

function SellerPart({ order, part, isAlone }: Props) {
  const { _id, sellerId, shopName, deliveryStatus, products, parcels, unsent, arrival, cancelled } = part
  const steps = isAlone ? [] : order.timeline.filter(({ sellerOrderId }) => sellerOrderId === _id)
  return (
    <section aria-label={shopName} className="card break-inside-avoid px-5 py-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line py-3">
        <h2 className="font-bold">
          <a href={shopPath({ sellerId, shopName })} className="hover:text-accent hover:underline">
            {shopName}
          </a>
        </h2>
        <StatusBadge text={deliveryText(part)} tone={DELIVERY_TONES[deliveryStatus]} />
        {arrival && parcels.length === 0 && <p className="w-full text-sm text-muted">{arrivalText(arrival)}</p>}
      </div>
      {parcels.length === 0 && (
        // Cancelled units are listed below, unless the whole part was cancelled or delivered: then it has all products.
        <OrderedProducts products={unsent.length > 0 ? unsent : products} hasArrived={deliveryStatus === 'Delivered'} />
      )}
      {parcels.map(parcel => (
        <ParcelBox key={parcel._id} parcel={parcel} shopName={shopName} />
      ))}
      {parcels.length > 0 && unsent.length > 0 && (
        <Rest title="Not sent yet" shopName={shopName} products={unsent} arrival={arrival} />
      )}
      {cancelled.length > 0 && <Rest title="Cancelled" shopName={shopName} products={cancelled} />}
      {steps.length > 0 && (
        <section aria-label={`What happened at ${shopName}`} className="border-t border-line py-3">
          <h3 className="font-semibold">What happened</h3>
          <Timeline steps={steps} />
        </section>
      )}
      <p className="no-print flex flex-wrap gap-x-6 border-t border-line py-1">
        <Returnable sellerOrderId={_id} />
        <a href={chatPath(sellerId, { orderId: order._id })} className="link inline-flex min-h-11 items-center">
          Help with this order<span className="sr-only"> from {shopName}</span>
        </a>
        {hasReceipt(order) && (
          <a href={invoicePath(order._id, _id)} className="link inline-flex min-h-11 items-center">
            Invoice<span className="sr-only"> of {shopName}</span>
          </a>
        )}
      </p>
    </section>
  )
}

/** Leads to what can be cancelled or returned of the part now. */
function Returnable({ sellerOrderId }: { sellerOrderId: string }) {
  const load = useStore($returns)
  const part = load.state === 'ready' && load.value.available.find(each => each.sellerOrderId === sellerOrderId)
  if (!part) return null
  return (
    <a href="#returns" className="link inline-flex min-h-11 items-center">
      {part.kind === 'return' ? 'Return products' : 'Cancel products'}
      <span className="sr-only"> of {part.shopName}, below</span>
    </a>
  )
}

interface RestProps {
  title: string
  shopName: string
  products: OrderedProduct[]
  arrival?: SellerOrder['arrival']
}

/** The products that are in no parcel. */
function Rest({ title, shopName, products, arrival }: RestProps) {
  return (
    <section aria-label={`${title}: ${shopName}`} className="border-t border-line pt-3">
      <h3 className="font-semibold">{title}</h3>
      {arrival && <p className="text-sm text-muted">{arrivalText(arrival)}</p>}
      <OrderedProducts products={products} />
    </section>
  )
}
