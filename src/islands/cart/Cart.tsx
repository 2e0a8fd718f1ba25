import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { CartSkeleton } from '#components/cart/CartSkeleton.tsx'
import { $cart, loadCart } from '#stores/cart/cart.ts'
import { sendRest } from '#stores/cart/lines.ts'
import { $savedLines, loadSavedLines } from '#stores/cart/saved-lines.ts'
import { $shipTo } from '#stores/cart/ship-to.ts'
import { $unpaidOrders, loadUnpaidOrders } from '#stores/orders/unpaid.ts'
import { UnpaidOrders } from '../orders/UnpaidOrders.tsx'
import { Blank } from '../ui/Blank.tsx'
import { Undo, useRemoval } from '../ui/Undo.tsx'
import { useTop } from '../ui/use-top.ts'
import { FilledCart } from './FilledCart.tsx'
import { SavedLines } from './SavedLines.tsx'

export function Cart() {
  const shown = useStore($cart, { ssr: 'initial' })
  const country = useStore($shipTo, { ssr: 'initial' })
  const saved = useStore($savedLines, { ssr: 'initial' })
  const unpaid = useStore($unpaidOrders, { ssr: 'initial' })
  const { removed, remove } = useRemoval()
  // Nothing on the page may move once it is shown.
  const isWaiting = country === undefined || saved.state === 'loading' || unpaid.state === 'loading'
  const isLoading = shown.state === 'loading' || (shown.state === 'ready' && isWaiting)
  const isEmpty = !isLoading && shown.state === 'ready' && shown.cart.count === 0
  const isFilled = !isLoading && shown.state === 'ready' && !isEmpty
  const savedLines =
    saved.state === 'failed' ? (
      <Blank text="What you saved for later could not be loaded" onRetry={loadSavedLines} />
    ) : (
      saved.state === 'ready' && saved.value.length > 0 && <SavedLines lines={saved.value} />
    )

  useTop(isEmpty)
  useEffect(() => {
    addEventListener('pagehide', sendRest)
    return () => removeEventListener('pagehide', sendRest)
  }, [])

  return (
    <>
      {!isFilled && <Undo removed={removed} />}
      {isLoading && <CartSkeleton />}
      {shown.state === 'failed' && <Blank text={shown.message} onRetry={loadCart} />}
      {shown.state === 'ready' && !isLoading && (
        <div className="space-y-6">
          {unpaid.state === 'ready' && unpaid.value.length > 0 && <UnpaidOrders orders={unpaid.value} />}
          {unpaid.state === 'failed' && (
            <Blank text="Orders that wait for payment could not be loaded" onRetry={loadUnpaidOrders} />
          )}
          {isEmpty && <Blank text="You have no items in your cart." href="/stores" action="Shop Now" />}
          {isEmpty ? (
            savedLines
          ) : (
            <FilledCart cart={shown.cart} country={country ?? ''} removed={removed} onRemove={remove}>
              {savedLines}
            </FilledCart>
          )}
        </div>
      )}
    </>
  )
}
