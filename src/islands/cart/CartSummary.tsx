import type { Cart } from '#contract/cart.ts'
import { formatCount, formatExact } from '#lib/format.ts'
import { SumRow } from '../ui/SumRow.tsx'

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
        <SumRow name={formatCount(buyableCount, 'item', 'items')}>{formatExact(priceCents)}</SumRow>
        <SumRow name="Shipping">
          <span className="font-normal text-muted">Counted at checkout</span>
        </SumRow>
        <SumRow name="Total before shipping" isTotal>
          {formatExact(priceCents)}
        </SumRow>
      </dl>
      <p className="text-sm text-muted">You pay in US dollars.</p>
      <button type="button" disabled={buyableCount === 0} onClick={onProceed} className="button w-full">
        Proceed to checkout
      </button>
      <a href="/products" className="link flex min-h-11 items-center justify-center text-sm">
        Continue shopping
      </a>
    </section>
  )
}
