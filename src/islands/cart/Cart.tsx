import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { Blank } from '#components/ui/Blank.tsx'
import { CartSkeleton } from '#components/cart/CartSkeleton.tsx'
import type { Cart as Contents, CartLine } from '#contract/cart.ts'
import { shopPath } from '#contract/page-urls.ts'
import { hasRisen, needsChoice } from '#lib/cart/cart-line.ts'
import { $cart, loadCart, settled } from '#stores/cart/cart.ts'
import { $destination } from '#stores/catalogue/destination.ts'
import { CartLineRow } from './CartLineRow.tsx'
import { CartSummary } from './CartSummary.tsx'
import { PriceConsent } from './PriceConsent.tsx'
import { Undo, useRemoval } from '../ui/Undo.tsx'
import { useTop } from '../ui/use-top.ts'

/** Opens the checkout once all shown quantities are saved. Stays if the provider rejected one. */
async function checkOut(): Promise<void> {
  if (await settled()) location.assign('/shipping')
}

export function Cart() {
  const shown = useStore($cart, { ssr: 'initial' })
  const country = useStore($destination, { ssr: 'initial' })
  const { removed, remove } = useRemoval()
  // Wait for the country: each line shows whether it ships there, and must not move later.
  const isLoading = shown.state === 'loading' || (shown.state === 'ready' && country === undefined)
  const isEmpty = !isLoading && shown.state === 'ready' && shown.cart.count === 0

  useTop(isEmpty)

  return (
    <>
      <Undo removed={removed} />
      {isLoading && <CartSkeleton />}
      {shown.state === 'failed' && <Blank text={shown.message} onRetry={loadCart} />}
      {isEmpty && <Blank text="You have no items in your cart." href="/stores" action="Shop Now" />}
      {shown.state === 'ready' && !isLoading && !isEmpty && (
        <Filled cart={shown.cart} country={country ?? null} onRemove={remove} />
      )}
    </>
  )
}

interface FilledProps {
  cart: Contents
  country: string | null
  onRemove: (line: CartLine) => void
}

function Filled({ cart, country, onRemove }: FilledProps) {
  const [isAsking, setIsAsking] = useState(false)

  function accepted() {
    setIsAsking(false)
    void checkOut()
  }
  const risen = cart.groups.flatMap(({ products }) => products).filter(hasRisen)

  const toChoose = cart.outOfStock.filter(needsChoice)
  const outOfStock = cart.outOfStock.filter(line => !needsChoice(line))

  function rows(lines: CartLine[]) {
    return (
      <ul className="divide-y divide-line">
        {lines.map(line => (
          <CartLineRow key={line._id} line={line} country={country} onRemove={() => onRemove(line)} />
        ))}
      </ul>
    )
  }

  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="space-y-6">
        {country === '' && (
          <p className="rounded-control bg-accent-soft px-4 py-3">
            <a href="/dashboard/account" className="link">
              Tell us your country
            </a>{' '}
            to see what ships there.
          </p>
        )}
        {toChoose.length > 0 && (
          <section aria-labelledby="to-choose" className="card px-5 py-2">
            <h2 id="to-choose" className="border-b border-line py-3 font-bold">
              Waiting for your choice {toChoose.length}
            </h2>
            {rows(toChoose)}
          </section>
        )}
        {cart.groups.map(({ sellerId, shopName, products }) => (
          <section key={sellerId} aria-label={shopName} className="card px-5 py-2">
            <h2 className="border-b border-line py-3 font-bold">
              <a href={shopPath({ sellerId, shopName })} className="py-1 hover:text-accent hover:underline">
                {shopName}
              </a>
            </h2>
            {rows(products)}
          </section>
        ))}
        {outOfStock.length > 0 && (
          <section aria-labelledby="out-of-stock" className="card border-dashed px-5 py-2">
            <h2 id="out-of-stock" className="border-b border-line py-3 font-bold text-bad">
              Out of stock {outOfStock.length}
            </h2>
            {rows(outOfStock)}
          </section>
        )}
      </div>
      <CartSummary cart={cart} onProceed={() => (risen.length > 0 ? setIsAsking(true) : void checkOut())} />
      {isAsking && <PriceConsent risen={risen} onAccept={accepted} onClose={() => setIsAsking(false)} />}
    </div>
  )
}
