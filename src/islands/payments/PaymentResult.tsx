import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { paymentPath } from '#contract/page-urls.ts'
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
  asking: { image: 'waiting', title: 'Asking about your payment', text: 'This takes a moment.' },
  succeeded: {
    image: 'succeeded',
    title: 'Your payment was successful',
    text: 'Thank you for your order. The shops have been told, and a mail is on its way to you.',
  },
  processing: {
    image: 'processing',
    title: 'Your payment is still being processed',
    text: 'We are still checking it with the payment provider. You do not need to pay again: this page shows how it ends, and we mail you if you leave.',
  },
  unfinished: {
    image: 'failed',
    title: 'Your payment was not finished',
    text: 'Your order waits. You can try again when you like.',
  },
  failed: {
    image: 'failed',
    title: 'Your payment failed',
    text: 'Nothing was charged. Your order waits for another try.',
  },
  refunded: {
    image: 'failed',
    title: 'Your payment is given back',
    text: 'Your money is on its way back to you, or there already. Your orders say what is paid.',
  },
  unreached: {
    image: 'failed',
    alt: 'Not known',
    title: 'The market cannot be reached',
    text: 'Nothing is lost: this page goes on asking about your payment.',
  },
  unknown: {
    image: 'failed',
    alt: 'Not known',
    title: 'This payment is not known',
    text: 'The address may be old, or belong to another account. Your orders say what is paid.',
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
  const isOver = state === 'failed' || state === 'unfinished'

  return (
    <div data-result={state} className="min-h-dvh">
      <div className="mx-auto flex max-w-text flex-col items-center gap-4 text-center">
        <img src={`/payment-${image}.svg`} alt={alt} width={160} height={160} />
        <div aria-live="polite" className="min-h-32">
          <h1 className="heading">{title}</h1>
          <p className="mt-3 text-balance text-lg text-muted">{text}</p>
        </div>
        <div className="flex flex-wrap justify-center gap-3">
          {isOver && orderId && (
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
