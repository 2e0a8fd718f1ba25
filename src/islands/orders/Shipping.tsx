import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { CheckoutSkeleton } from '#components/orders/CheckoutSkeleton.tsx'
import { paymentPath } from '#contract/page-urls.ts'
import { focusContent } from '#page-scripts/focus.ts'
import { $book } from '#stores/accounts/address-book.ts'
import { $savedAddress } from '#stores/accounts/address.ts'
import { $basket, reloadBasket } from '#stores/cart/basket.ts'
import { $placing, askAgain, dropOrder, resumeOrder } from '#stores/orders/checkout.ts'
import { $orderId } from '#stores/orders/order-id.ts'
import { Blank } from '../ui/Blank.tsx'
import { Checkout } from './Checkout.tsx'
import { replaceCheckout } from './checkout-history.ts'
import { useTop } from '../ui/use-top.ts'

/** The checkout of the cart, or of one product bought at once. */
export function Shipping() {
  const basket = useStore($basket)
  const placing = useStore($placing)
  const saved = useStore($savedAddress)
  // The form waits for both, so that nothing in it moves.
  const isKnown = useStore($book) !== undefined && saved !== undefined

  useEffect(() => {
    const resume = () => void resumeOrder()
    resume()
    addEventListener('online', resume)
    return () => removeEventListener('online', resume)
  }, [])
  useEffect(() => {
    // Back from the payment leads to the cart, not to the form of a placed order.
    if (placing.state === 'placed') replaceCheckout(paymentPath(placing.orderId))
  }, [placing])

  if (placing.state === 'placed')
    return <CheckoutSkeleton text="Your order is placed. The payment comes next." step="Pay" />
  if (placing.state === 'unknown') return <Unanswered />
  if (basket.state === 'ready' && basket.lines.length > 0 && isKnown)
    return <Checkout lines={basket.lines} leftOut={basket.leftOut} />
  if (placing.state === 'sending') return <CheckoutSkeleton text="Placing your order" step="Review" />
  if (basket.state === 'loading' || !isKnown) return <CheckoutSkeleton text="Loading your order" />
  if (basket.state === 'ready' && basket.leftOut.length > 0)
    return <Blank text="Nothing in your cart can be ordered right now." href="/cart" action="See your cart" />
  if (basket.state === 'ready') return <Nothing />
  if (basket.state === 'gone')
    return <Blank text="Product Not Available" href="/products" action="Browse Other Products" />
  return <Blank text={basket.message} onRetry={reloadBasket} />
}

function Nothing() {
  const orderId = useStore($orderId)
  return (
    <Blank text="You have no items in your cart.">
      <div className="flex flex-wrap justify-center gap-3">
        {orderId && (
          <a href={paymentPath(orderId)} className="button">
            Pay your last order
          </a>
        )}
        <a href="/stores" className={orderId ? 'button-quiet' : 'button'}>
          Shop Now
        </a>
      </div>
    </Blank>
  )
}

function Unanswered() {
  useTop(true)
  function startAgain() {
    focusContent()
    dropOrder()
  }

  return (
    <Blank text="We do not know yet whether your order was placed.">
      <p role="alert" className="max-w-text text-muted">
        The market did not respond when you placed it. ‘Ask again’ sends it once more as it was then: it is placed only
        once.
      </p>
      <p className="max-w-text text-muted">
        If you have changed your mind, start a new order. Look at{' '}
        <a href="/dashboard/my-orders" className="link">
          your orders
        </a>{' '}
        first: if this one was placed, it is there, and you can pay or cancel it.
      </p>
      <div className="flex flex-wrap justify-center gap-3">
        <button type="button" onClick={() => void askAgain()} className="button">
          Ask again
        </button>
        <button type="button" onClick={startAgain} className="button-quiet">
          Start a new order
        </button>
      </div>
    </Blank>
  )
}
