import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect } from 'react'
import { OrdersSkeleton } from '#components/orders/OrdersSkeleton.tsx'
import { invoicePath, orderPath } from '#contract/page-urls.ts'
import type { Receipt } from '#contract/receipts.ts'
import { hasRefundsOfWhole, invoiceIdsOf, orderIdOf } from '#lib/orders/orders.ts'
import { $receipt, loadReceipt } from '#stores/orders/receipt.ts'
import { Blank } from '../ui/Blank.tsx'
import { Facts, PartLines, Party, RefundList, Sums } from './ReceiptParts.tsx'

/** The receipt of the order that is named in the URL, to be printed. */
export function ReceiptPage() {
  return <Loaded orderId={orderIdOf(location.pathname)}>{receipt => <WholeReceipt receipt={receipt} />}</Loaded>
}

/** The invoice of the seller's part that is named in the URL, to be printed. */
export function InvoicePage() {
  const { orderId, sellerOrderId } = invoiceIdsOf(location.pathname)
  return <Loaded orderId={orderId}>{receipt => <Invoice receipt={receipt} sellerOrderId={sellerOrderId} />}</Loaded>
}

function Loaded({ orderId, children }: { orderId: string; children: (receipt: Receipt) => ReactNode }) {
  const load = useStore($receipt)
  useEffect(() => void loadReceipt(orderId), [orderId])

  if (load.state === 'loading') return <OrdersSkeleton />
  if (load.state === 'ready') return children(load.value)
  return load.state === 'missing' ? <Missing /> : <Blank text={load.message} onRetry={loadReceipt} />
}

function Missing() {
  return (
    <Blank
      text="There is no receipt here: you get one when an order is paid."
      href="/dashboard/my-orders"
      action="My Orders"
    />
  )
}

function WholeReceipt({ receipt }: { receipt: Receipt }) {
  const { orderId, number, date, paidAt, shippingInfo, parts, refunds } = receipt
  return (
    <Paper orderId={orderId}>
      <Facts
        facts={[
          ['Order number', number],
          ['Ordered', date],
          ['Paid', paidAt],
        ]}
      />
      <Party title="Buyer" address={shippingInfo} />
      {parts.map(part => (
        <section key={part.sellerOrderId} aria-label={part.shopName} className="mt-6 border-t border-edge pt-4">
          <div className="flex flex-wrap items-start justify-between gap-x-4">
            <div className="min-w-0">
              <h2 dir="auto" className="font-bold">
                {part.shopName}
              </h2>
              {part.address.length > 0 && <p className="text-sm text-muted">{part.address.join(', ')}</p>}
            </div>
            <a
              href={invoicePath(orderId, part.sellerOrderId)}
              className="link no-print inline-flex min-h-11 items-center"
            >
              Invoice {part.number}
            </a>
          </div>
          <PartLines part={part} />
        </section>
      ))}
      <Sums of={receipt} refunds={refunds} />
      <RefundList refunds={refunds} />
    </Paper>
  )
}

function Invoice({ receipt, sellerOrderId }: { receipt: Receipt; sellerOrderId: string }) {
  const part = receipt.parts.find(each => each.sellerOrderId === sellerOrderId)
  if (!part) return <Missing />
  return (
    <Paper orderId={receipt.orderId}>
      <Facts
        facts={[
          ['Invoice number', part.number],
          ['Order number', receipt.number],
          ['Ordered', receipt.date],
          ['Paid', receipt.paidAt],
        ]}
      />
      <div className="grid gap-x-6 sm:grid-cols-2 print:grid-cols-2">
        <Party title="Seller" name={part.shopName} lines={part.address} />
        <Party title="Buyer" address={receipt.shippingInfo} />
      </div>
      <div className="mt-6 border-t border-edge pt-4">
        <PartLines part={part} />
      </div>
      <Sums of={part} refunds={part.refunds} />
      <RefundList refunds={part.refunds} />
      {hasRefundsOfWhole(receipt) && (
        <p className="mt-3 text-sm">Refunds for the order as a whole are on the order’s receipt.</p>
      )}
    </Paper>
  )
}

function Paper({ orderId, children }: { orderId: string; children: ReactNode }) {
  return (
    <div className="max-w-text print:max-w-none">
      <div className="no-print mb-4 flex flex-wrap gap-2">
        <button type="button" onClick={() => print()} className="button">
          Print
        </button>
        <a href={orderPath(orderId)} className="button-quiet">
          Back to the order
        </a>
      </div>
      <div className="card p-5 sm:p-8 print:border-0 print:p-0 print:shadow-none">
        <p className="mb-4 text-sm font-semibold">Piazza</p>
        {children}
      </div>
    </div>
  )
}
