import { ownAddressLines } from '#lib/accounts/address-fields.ts'
import type { Order } from '#contract/orders.ts'
import type { Receipt, ReceiptPart, ReceiptRefund } from '#contract/receipts.ts'
import { formatExact } from '#lib/format.ts'
import { formatDay } from '#lib/orders/orders.ts'
import { SumRow } from '../ui/SumRow.tsx'

/** Numbers and dates, by their labels. */
export function Facts({ facts }: { facts: [name: string, value: string][] }) {
  return (
    <dl className="grid grid-cols-1 gap-x-6 gap-y-2 xs:grid-cols-2 print:grid-cols-2">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="font-semibold">
            {/^\d{4}-\d\d-\d\dT/.test(value) ? <time dateTime={value}>{formatDay(value)}</time> : value}
          </dd>
        </div>
      ))}
    </dl>
  )
}

type PartyProps = { title: string } & ({ address: Order['shippingInfo'] } | { name: string; lines: string[] })

/** Who sells, or who buys, with the address. */
export function Party(props: PartyProps) {
  const [name, lines] =
    'address' in props ? [props.address.name, ownAddressLines(props.address)] : [props.name, props.lines]
  return (
    <section aria-label={props.title} className="mt-5 min-w-0">
      <h2 className="text-sm text-muted">{props.title}</h2>
      <address className="not-italic">
        <span dir="auto" className="block font-semibold">
          {name}
        </span>
        {lines.map(line => (
          <span key={line} dir="auto" className="block break-words">
            {line}
          </span>
        ))}
      </address>
    </section>
  )
}

/** What a shop sold, line by line, with its shipping. */
export function PartLines({ part: { shopName, lines, shippingCents } }: { part: ReceiptPart }) {
  return (
    <table className="mt-3 w-full text-left">
      <caption className="sr-only">Products of {shopName}</caption>
      <thead>
        <tr className="border-b border-line text-sm text-muted">
          <th scope="col" className="py-1 pr-3 font-medium">
            Product
          </th>
          <th scope="col" className="px-2 py-1 text-right font-medium">
            Quantity
          </th>
          <th scope="col" className="py-1 pl-2 text-right font-medium">
            Sum
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ name, options, sku, quantity, unitCents, cents }, at) => (
          // Two lines of an order can have the same product and variant.
          <tr key={`${at}`} className="break-inside-avoid border-b border-line align-top">
            <td className="py-2 pr-3 [overflow-wrap:anywhere]">
              <span dir="auto" className="block font-medium">
                {name}
              </span>
              {(options || sku) && (
                <span dir="auto" className="block text-sm">
                  {[options, sku && `SKU ${sku}`].filter(Boolean).join(', ')}
                </span>
              )}
            </td>
            <td className="whitespace-nowrap px-2 py-2 text-right tabular-nums">
              {quantity} × {formatExact(unitCents)}
            </td>
            <td className="py-2 pl-2 text-right font-semibold tabular-nums">{formatExact(cents)}</td>
          </tr>
        ))}
        <tr className="align-top">
          <td colSpan={2} className="py-2 pr-3">
            Shipping
          </td>
          <td className="py-2 pl-2 text-right font-semibold tabular-nums">{formatExact(shippingCents)}</td>
        </tr>
      </tbody>
    </table>
  )
}

/** The sums of a whole order or a part, with its refunds. */
export function Sums({
  of: { itemsCents, shippingCents, priceCents, paidCents = priceCents },
  refunds,
}: {
  of: Pick<Receipt, 'itemsCents' | 'shippingCents' | 'priceCents'> & { paidCents?: number | undefined }
  refunds: ReceiptRefund[]
}) {
  const refundedCents = refunds.reduce((sum, { at, cents }) => sum + (at ? cents : 0), 0)
  return (
    <dl className="ml-auto mt-4 max-w-80 break-inside-avoid space-y-1.5 border-t border-edge pt-4">
      <SumRow name="Items">{formatExact(itemsCents)}</SumRow>
      <SumRow name="Shipping">{formatExact(shippingCents)}</SumRow>
      <SumRow name="Paid, in US dollars" isTotal>
        {formatExact(paidCents)}
      </SumRow>
      {refundedCents > 0 && (
        <>
          <SumRow name="Refunded">−{formatExact(refundedCents)}</SumRow>
          <SumRow name="Left after refunds" isTotal>
            {formatExact(paidCents - refundedCents)}
          </SumRow>
        </>
      )}
    </dl>
  )
}

/** When each amount was refunded. */
export function RefundList({ refunds }: { refunds: ReceiptRefund[] }) {
  if (refunds.length === 0) return null
  return (
    <section aria-labelledby="refunds" className="mt-6 break-inside-avoid">
      <h2 id="refunds" className="font-bold">
        Refunds
      </h2>
      <ul className="mt-2 space-y-1">
        {refunds.map(({ at, cents, shopName }, index) => (
          <li key={`${index}`} className="flex flex-wrap justify-between gap-x-4">
            <span>
              {at ? <time dateTime={at}>{formatDay(at)}</time> : 'On its way'}
              {shopName && `, ${shopName}`}
            </span>
            <span className="ml-auto font-semibold tabular-nums">{formatExact(cents)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
