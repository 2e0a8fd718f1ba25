import { StatusBadge } from '#components/orders/StatusBadge.tsx'
import type { OrderSummary } from '#contract/orders.ts'
import { orderPath, paymentPath } from '#contract/page-urls.ts'
import { formatCount, formatExact } from '#lib/format.ts'
import { formatDay, isPayable, PAYMENT_TEXTS, PAYMENT_TONES } from '#lib/orders/orders.ts'

const HEADS = ['Order Id', 'Price', 'Payment status', 'Action']

/** A table of orders. On phones each row is a card. */
export function OrdersTable({ orders, label }: { orders: OrderSummary[]; label: string }) {
  return (
    <div className="card overflow-hidden">
      <table aria-label={label} className="block w-full text-left sm:table">
        <thead className="sr-only sm:not-sr-only sm:table-header-group">
          <tr className="border-b border-line text-sm text-muted">
            {HEADS.map(head => (
              <th key={head} scope="col" className="px-5 py-3 font-semibold last:text-right">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="block divide-y divide-line sm:table-row-group">
          {orders.map(order => (
            <Row key={order._id} order={order} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ order }: { order: OrderSummary }) {
  const { _id, number, priceCents, paymentStatus, status, date, items } = order
  return (
    <tr className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 px-4 py-4 sm:table-row">
      <td className="min-w-0 sm:px-5 sm:py-3">
        <span className="block whitespace-nowrap font-semibold">{number}</span>
        <span className="block text-sm text-muted">
          {formatDay(date)}, {formatCount(items, 'item', 'items')}
        </span>
      </td>
      <td className="text-right text-lg font-bold sm:px-5 sm:text-left sm:text-base">{formatExact(priceCents)}</td>
      <td className="sm:px-5">
        <span className="flex flex-wrap gap-1.5">
          <StatusBadge text={PAYMENT_TEXTS[paymentStatus]} tone={PAYMENT_TONES[paymentStatus]} />
          {status === 'cancelled' && <StatusBadge text="Cancelled" tone="plain" />}
        </span>
      </td>
      <td className="col-span-2 sm:px-5 sm:py-3">
        <span className="flex justify-end gap-2">
          <a href={orderPath(_id)} className="button-quiet flex-1 px-4 sm:flex-none">
            View<span className="sr-only"> order {number}</span>
          </a>
          {isPayable(order) && (
            <a href={paymentPath(_id)} className="button flex-1 whitespace-nowrap px-4 sm:flex-none">
              Pay Now<span className="sr-only"> for order {number}</span>
            </a>
          )}
        </span>
      </td>
    </tr>
  )
}
