import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { CheckoutSkeleton } from '#components/orders/CheckoutSkeleton.tsx'
import { CheckoutSteps } from '#components/orders/CheckoutSteps.tsx'
import type { Order } from '#contract/orders.ts'
import { orderPath } from '#contract/page-urls.ts'
import type { PaymentMethod } from '#contract/payments.ts'
import { isPayable } from '#lib/orders/orders.ts'
import { $toPay, loadPayment } from '#stores/payments/payment.ts'
import { OrderItems } from '../orders/OrderItems.tsx'
import { Blank } from '../ui/Blank.tsx'
import { PayBox } from './PayBox.tsx'

const orderId = () => new URLSearchParams(location.search).get('order') ?? ''

interface Props {
  /** What customers can pay with; empty if the provider is not known. */
  methods: PaymentMethod[]
}

/** The payment page of the order in the URL. */
export function Payment({ methods }: Props) {
  const load = useStore($toPay)
  useEffect(() => void loadPayment(orderId()), [])

  if (!orderId() || load.state === 'missing')
    return <Blank text="There is no such order to pay." href="/dashboard/my-orders" action="My Orders" />
  if (load.state === 'loading') return <CheckoutSkeleton text="Loading your order" step="Pay" />
  if (load.state === 'failed') return <Blank text={load.message} onRetry={loadPayment} />
  return isPayable(load.value) ? <ToPay order={load.value} methods={methods} /> : <Settled order={load.value} />
}

function ToPay({ order, methods }: { order: Order & { payUntil?: string } } & Props) {
  return (
    <>
      <CheckoutSteps current="Pay" />
      <div className="flex flex-col gap-6 lg:grid lg:grid-cols-[minmax(0,1fr)_22rem]">
        <OrderItems order={order} />
        <PayBox order={order} methods={methods} />
      </div>
    </>
  )
}

function Settled({ order }: { order: Order }) {
  const { text, hint } = settledTexts(order)
  return (
    <Blank text={text}>
      <p className="text-muted">{hint}</p>
      <div className="flex flex-wrap justify-center gap-3">
        <a href={orderPath(order._id)} className="button">
          View order
        </a>
        <a href="/dashboard/my-orders" className="button-quiet">
          My Orders
        </a>
      </div>
    </Blank>
  )
}

function settledTexts({ status, paymentStatus }: Order): { text: string; hint: string } {
  if (paymentStatus === 'paid') return { text: 'This order is paid.', hint: 'There is nothing left to pay.' }
  if (paymentStatus === 'processing')
    return {
      text: 'The payment of this order is on its way.',
      hint: 'Please do not pay again: it will complete on its own.',
    }
  if (paymentStatus === 'refund_pending' || paymentStatus === 'refunded')
    return { text: 'This order is refunded.', hint: 'The order page shows where your refund is.' }
  return status === 'cancelled'
    ? { text: 'This order is cancelled.', hint: 'There is nothing to pay.' }
    : { text: 'This order cannot be paid.', hint: 'The order page says why.' }
}
