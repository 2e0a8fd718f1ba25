import type { Cart } from '#contract/cart.ts'
import { formatCount, formatExact } from '#lib/format.ts'
import { Amount } from '../ui/Amount.tsx'

interface Props {
  cart: Cart
  onProceed: () => void
}

export function CartSummary({ cart, onProceed }: Props) {
  const { buyableCount, priceCents } = cart
  return (
    <section aria-labelledby="summary" className="card h-fit space-y-4 p-5 lg:sticky lg:top-24">
      <h2 id="summary" className="text-xl font-bold">
        Order summary
      </h2>
      <dl className="space-y-2">
        <div className="flex justify-between gap-4">
          <dt className="text-muted">{formatCount(buyableCount, 'item', 'items')}</dt>
          <dd className="font-semibold">
            <Amount cents={priceCents} />
          </dd>
        </div>
        <div className="flex flex-wrap justify-between gap-x-4">
          <dt className="text-muted">Shipping</dt>
          <dd className="text-muted">Counted at checkout</dd>
        </div>
        <div className="flex justify-between gap-4 border-t border-line pt-3 text-lg">
          <dt className="font-bold">Total</dt>
          <dd className="font-bold">
            <Amount cents={priceCents} />
          </dd>
        </div>
      </dl>
      <p className="text-sm text-muted">You pay in US dollars: {formatExact(priceCents)} before shipping.</p>
      <button type="button" disabled={buyableCount === 0} onClick={onProceed} className="button w-full">
        Proceed to checkout
      </button>
      <a href="/products" className="link flex min-h-11 items-center justify-center text-sm">
        Continue shopping
      </a>
    </section>
  )
}
