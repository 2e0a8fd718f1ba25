import { type ReactNode, useState } from 'react'
import type { Cart as Contents, CartLine } from '#contract/cart.ts'
import { shopPath } from '#contract/page-urls.ts'
import { hasRisen, isSoldOut, needsChoice } from '#lib/cart/cart-line.ts'
import { Arrival } from '#components/orders/Arrival.tsx'
import { settled } from '#stores/cart/lines.ts'
import { sayIfOffline } from '#stores/ui/offline.ts'
import { Undo, type useRemoval } from '../ui/Undo.tsx'
import { CartLineRow } from './CartLineRow.tsx'
import { CartSummary } from './CartSummary.tsx'
import { PriceConsent } from './PriceConsent.tsx'
import { SoldOutRow } from './SoldOutRow.tsx'

type Removal = ReturnType<typeof useRemoval>

interface Props {
  cart: Contents
  /** '' if unknown. */
  country: string
  removed: Removal['removed']
  onRemove: Removal['remove']
  /** Shown below the lines. */
  children: ReactNode
}

/** Opens the checkout once all shown quantities are saved. Stays if the provider rejected one. */
async function checkOut(): Promise<void> {
  if (sayIfOffline()) return
  if (await settled()) location.assign('/shipping')
}

export function FilledCart({ cart, country, removed, onRemove, children }: Props) {
  const [isAsking, setIsAsking] = useState(false)
  const risen = cart.groups.flatMap(({ products }) => products).filter(hasRisen)
  const toChoose = cart.outOfStock.filter(needsChoice)
  const outOfStock = cart.outOfStock.filter(line => !needsChoice(line))

  function accepted() {
    setIsAsking(false)
    void checkOut()
  }

  function rows(lines: CartLine[]) {
    return (
      <ul className="divide-y divide-line">
        {lines.map(line => {
          const remove = () => onRemove([line])
          if (isSoldOut(line)) return <SoldOutRow key={line._id} line={line} onRemove={remove} />
          return <CartLineRow key={line._id} line={line} country={country} onRemove={remove} />
        })}
      </ul>
    )
  }

  return (
    <div className="flex flex-col gap-6 lg:grid lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr]">
      <div className="space-y-6">
        {toChoose.length > 0 && (
          <section aria-labelledby="to-choose" className="card px-4 py-2 sm:px-5">
            <h2 id="to-choose" className="border-b border-line py-3 font-bold">
              Waiting for your choice {toChoose.length}
            </h2>
            {rows(toChoose)}
          </section>
        )}
        {cart.groups.map(({ sellerId, shopName, products }) => (
          <section key={sellerId} aria-label={shopName} className="card px-4 py-2 sm:px-5">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line py-3">
              <h2 className="font-bold">
                <a href={shopPath({ sellerId, shopName })} className="py-1 hover:text-accent hover:underline">
                  {shopName}
                </a>
              </h2>
              <Arrival product={products[0]?.product} country={country} />
            </div>
            {rows(products)}
          </section>
        ))}
        {outOfStock.length > 0 && (
          <section aria-labelledby="out-of-stock" className="card border-dashed px-4 py-2 shadow-none sm:px-5">
            <div className="flex items-center justify-between gap-4 border-b border-line">
              <h2 id="out-of-stock" className="py-3 font-bold text-bad">
                Out of stock {outOfStock.length}
              </h2>
              <button
                type="button"
                onClick={() => onRemove(outOfStock)}
                className="link -mr-1 min-h-11 shrink-0 px-1 text-sm"
              >
                Remove all
              </button>
            </div>
            {rows(outOfStock)}
          </section>
        )}
      </div>
      <CartSummary
        cart={cart}
        country={country}
        onProceed={() => (risen.length > 0 ? setIsAsking(true) : void checkOut())}
      >
        <Undo removed={removed} place="absolute bottom-full mb-2 lg:mb-0" />
      </CartSummary>
      {children && <div className="lg:col-start-1">{children}</div>}
      {isAsking && <PriceConsent risen={risen} onAccept={accepted} onClose={() => setIsAsking(false)} />}
    </div>
  )
}
