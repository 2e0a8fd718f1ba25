import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { paymentPath } from '#contract/page-urls.ts'
import { settledText } from '#lib/orders/orders.ts'
import { $order, loadOrder } from '#stores/orders/orders.ts'
import { $confirmation, type Confirmation, followPayment } from '#stores/payments/confirmation.ts'
import { OrderReceipt } from '../orders/OrderReceipt.tsx'

interface Shown {
  image: 'succeeded' | 'processing' | 'failed' | 'waiting'
  /** Alternative text of the picture; overrides `ALT`. */
  alt?: string
  title: string
  text: string
}

const SHOWN: Record<Confirmation['state'], Shown> = {
  asking: { image: 'waiting', title: 'Checking your payment', text: 'This takes a moment.' },
  succeeded: {
    image: 'succeeded',
    title: 'Your payment was successful',
    text: 'Thank you for your order. We have notified the shops, and a confirmation email is on its way.',
  },
  processing: {
    image: 'processing',
    title: 'Your payment is still being processed',
    text: 'We are still checking it with the payment provider. You do not need to pay again: this page will show the result, and so will your notifications if you leave.',
  },
  unfinished: {
    image: 'failed',
    title: 'Your payment was not finished',
    text: 'We are still holding your order. You can try again whenever you like.',
  },
  failed: {
    image: 'failed',
    title: 'Your payment failed',
    text: 'Nothing was charged. We are still holding your order, so you can try again.',
  },
  refunded: {
    image: 'failed',
    title: 'Your payment is being refunded',
    text: 'Your refund is on its way, or has already arrived. Your orders show what has been paid.',
  },
  unreached: {
    image: 'processing',
    alt: 'Not known',
    title: 'The market cannot be reached',
    text: 'Nothing is lost: this page keeps checking your payment.',
  },
  unknown: {
    image: 'failed',
    alt: 'Not known',
    title: 'We could not find this payment',
    text: 'The link may be old or belong to another account. Your orders show what has been paid.',
  },
}
const ALT: Record<Shown['image'], string> = {
  succeeded: 'Success',
  processing: 'Not paid yet',
  failed: 'Not paid',
  waiting: 'Please wait',
}

/** The outcome of the payment in the URL, and the order that it pays. */
export function PaymentResult() {
  const confirmation = useStore($confirmation)
  useEffect(() => followPayment(new URLSearchParams(location.search).get('payment_intent_client_secret') ?? ''), [])
  const view = useStore($order)
  const { state } = confirmation
  const orderId = 'orderId' in confirmation ? confirmation.orderId : undefined
  useEffect(() => {
    if (orderId && state !== 'asking') void loadOrder(orderId)
  }, [orderId, state])
  const { image, alt = ALT[image], title, text } = SHOWN[state]
  const isUnpaid = state === 'failed' || state === 'unfinished'
  const order = view.state === 'ready' && view.value.order
  // Another payment may have paid the order, or its time to be paid may be over.
  const settled = isUnpaid && order && order._id === orderId ? settledText(order) : ''

  return (
    <div data-result={state} className="min-h-dvh">
      <div className="mx-auto flex max-w-text flex-col items-center gap-4 text-center">
        <img src={`/payment-${image}.svg`} alt={alt} width={160} height={160} />
        <div aria-live="polite" className="min-h-32">
          <h1 className="heading">{title}</h1>
          <p className="mt-3 text-balance text-lg text-muted">{settled || text}</p>
        </div>
        <div className="flex flex-wrap justify-center gap-3">
          {isUnpaid && orderId && !settled && (
            <a href={paymentPath(orderId)} className="button">
              Try again
            </a>
          )}
          <a href="/dashboard/my-orders" className={orderId ? 'button-quiet' : 'button'}>
            Back to Dashboard
          </a>
        </div>
      </div>
      {orderId && view.state === 'ready' && (
        <div className="mx-auto mt-8 max-w-4xl">
          <OrderReceipt view={view.value} />
        </div>
      )}
    </div>
  )
}
