import { useEffect, useRef } from 'react'
import type { OrderView } from '#stores/orders/orders.ts'
import { OrderReceipt } from './OrderReceipt.tsx'

/** Thanks for an order that was just paid, and its summary. */
export function PaidOrder({ view }: { view: OrderView }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The payment page that had the focus is gone: screen readers hear first that the order is paid.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])

  return (
    <section aria-labelledby="paid" className="mb-8">
      <div className="mb-4 flex items-center gap-4">
        <img src="/payment-succeeded.svg" alt="" width={56} height={56} className="size-14 shrink-0" />
        <div>
          <h2 id="paid" ref={heading} tabIndex={-1} className="text-2xl focus:outline-none">
            Thank you! Your order is paid
          </h2>
          <p className="text-muted">We have notified the shops. You can always find your order under My Orders.</p>
        </div>
      </div>
      <OrderReceipt view={view} />
    </section>
  )
}
