import { StatusBadge } from '#components/orders/StatusBadge.tsx'
import { Thumbnail } from '#components/ui/Thumbnail.tsx'
import type { OrderSummary, PartSummary } from '#contract/orders.ts'
import { orderPath, paymentPath } from '#contract/page-urls.ts'
import { formatCount, formatExact } from '#lib/format.ts'
import { DELIVERY_TONES, formatDay, isPayable, partText, PAYMENT_TEXTS, paymentTone } from '#lib/orders/orders.ts'

/** This many fit side by side on a phone. */
const MAX_PICTURES = 4

const HEADS = ['Order Id', 'Price', 'Payment status', 'Action']

/** A table of orders. On phones each row is a card. */
export function OrdersTable({ orders, label }: { orders: OrderSummary[]; label: string }) {
  return (
    <div className="card overflow-hidden">
      <table aria-label={label} className="block w-full text-left sm:table">
        <thead className="sr-only sm:not-sr-only sm:table-header-group">
          <tr className="border-b border-line text-sm text-muted">
            {HEADS.map(head => (
              <th key={head} scope="col" className="px-3 py-3 font-semibold last:text-right md:px-5">
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
  const { _id, number, priceCents, paymentStatus, status, date, items, parts } = order
  return (
    <tr className="grid grid-cols-[minmax(0,1fr)_auto] grid-rows-[auto_1fr] items-start gap-x-4 gap-y-2 px-4 py-4 large-text:flex large-text:flex-col large-text:items-stretch sm:table-row sm:[&>td]:py-4 sm:[&>td]:align-top">
      <td className="row-span-2 min-w-0 sm:px-3 md:px-5">
        <span className="block whitespace-nowrap font-semibold large-text:whitespace-normal">{number}</span>
        <span className="block text-sm text-muted">
          {formatDay(date)}, <span className="whitespace-nowrap">{formatCount(items, 'item', 'items')}</span>
        </span>
        <Pictures parts={parts} />
        <ul className="mt-2 space-y-1 text-sm">
          {parts.map(part => (
            <li key={part.sellerId} className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
              <bdi className="min-w-0 break-words">{part.shopName}</bdi>
              <StatusBadge text={partText(part)} tone={DELIVERY_TONES[part.deliveryStatus]} />
            </li>
          ))}
        </ul>
      </td>
      <td className="text-right text-lg font-bold sm:px-3 sm:text-left sm:text-base md:px-5">
        {formatExact(priceCents)}
      </td>
      <td className="sm:px-3 md:px-5">
        <span className="flex gap-1.5 max-sm:flex-col max-sm:items-end sm:flex-wrap">
          <StatusBadge text={PAYMENT_TEXTS[paymentStatus]} tone={paymentTone(order)} />
          {status === 'cancelled' && <StatusBadge text="Cancelled" tone="plain" />}
        </span>
      </td>
      <td className="col-span-2 sm:px-3 md:px-5">
        <span className="flex justify-end gap-2 large-text:flex-wrap">
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

function Pictures({ parts }: { parts: PartSummary[] }) {
  const products = parts.flatMap(part => part.products)
  const shown = products.slice(0, MAX_PICTURES)
  return (
    <ul aria-label="Products" className="mt-2 flex items-center gap-1.5 large-text:flex-wrap">
      {shown.map(({ name, image }, at) => (
        <li key={`${at} ${name}`} title={name}>
          <Thumbnail image={image} size={48} className="size-12 rounded-control bg-sunken object-cover" />
          <span className="sr-only">{name}</span>
        </li>
      ))}
      {products.length > shown.length && (
        <li className="text-sm text-muted">
          +{products.length - shown.length}
          <span className="sr-only"> more</span>
        </li>
      )}
    </ul>
  )
}
