import { StatusBadge } from '#components/orders/StatusBadge.tsx'
import type { SellerOrder } from '#contract/orders.ts'
import { shopPath } from '#contract/page-urls.ts'
import { DELIVERY_TONES } from '#lib/orders/orders.ts'
import { OrderedProducts } from './OrderItems.tsx'

/** Each seller's part of the order with its delivery status. */
export function SellerOrders({ sellerOrders }: { sellerOrders: SellerOrder[] }) {
  return sellerOrders.map(({ _id, sellerId, shopName, deliveryStatus, products }) => (
    <section key={_id} aria-label={shopName} className="card break-inside-avoid px-5 py-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line py-3">
        <h2 className="font-bold">
          <a href={shopPath({ sellerId, shopName })} className="hover:text-accent hover:underline">
            {shopName}
          </a>
        </h2>
        <StatusBadge text={deliveryStatus} tone={DELIVERY_TONES[deliveryStatus]} />
      </div>
      <OrderedProducts products={products} />
    </section>
  ))
}
