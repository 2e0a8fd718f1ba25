import type { ReactNode } from 'react'
import type { Cart } from '#contract/cart.ts'
import { COUNTRIES } from '#contract/countries.ts'
import { sumsOf } from '#contract/order-sums.ts'
import { unshippableLines } from '#lib/cart/basket.ts'
import { savedCents } from '#lib/cart/cart-line.ts'
import { formatCount, formatExact } from '#lib/format.ts'
import { shipTo } from '#stores/cart/ship-to.ts'
import { SumRow } from '../ui/SumRow.tsx'

interface Props {
  cart: Cart
  /** Where the order would be shipped; '' if unknown. */
  country: string
  onProceed: () => void
  /** Shown above the total and the button on phones. */
  children: ReactNode
}

/** The cart's sums with shipping. On phones, total and button stay at the lower edge of the window. */
export function CartSummary({ cart, country, onProceed, children }: Props) {
  const { groups, buyableCount } = cart
  const lines = groups.flatMap(({ products }) => products)
  const unshippableCount = country === '' ? 0 : unshippableLines(lines, country).length
  const isShippable = country !== '' && unshippableCount === 0
  const { itemsCents, shippingCents, priceCents } = sumsOf(lines, country)
  const saved = savedCents(lines)

  return (
    <section
      aria-labelledby="summary"
      className="contents lg:sticky lg:top-24 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:block lg:h-fit"
    >
      <div className="card space-y-4 p-5 lg:rounded-b-none lg:border-b-0 lg:shadow-none">
        <h2 id="summary" className="text-xl font-bold">
          Order summary
        </h2>
        <dl className="space-y-2">
          <SumRow name={formatCount(buyableCount, 'item', 'items')}>{formatExact(itemsCents)}</SumRow>
          {buyableCount > 0 && (
            <SumRow name={country ? `Shipping to ${country}` : 'Shipping'}>
              {isShippable ? shippingText(shippingCents) : country ? 'Not available' : 'Choose a country'}
            </SumRow>
          )}
        </dl>
        <ShipTo country={country} />
        {unshippableCount > 0 && (
          <p className="text-sm font-medium text-bad">
            {formatCount(unshippableCount, 'product does', 'products do')} not ship to {country}.
          </p>
        )}
        {saved > 0 && (
          <p className="rounded-control bg-good/10 px-3 py-2 font-semibold text-good">You save {formatExact(saved)}</p>
        )}
      </div>
      <div className="sticky bottom-0 z-30 order-last -mx-4 -mt-2 flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line bg-surface px-4 py-3 shadow-raised sm:-mx-6 sm:px-6 lg:static lg:m-0 lg:block lg:space-y-4 lg:rounded-b-card lg:border lg:border-t-0 lg:p-5 lg:pt-0 lg:shadow-card [@media(max-height:26rem)]:relative">
        <dl className="lg:border-t lg:border-line lg:pt-3">
          <div className="lg:flex lg:flex-wrap lg:justify-between lg:gap-x-4 lg:text-lg lg:font-bold">
            <dt className="text-sm text-muted lg:text-lg lg:text-ink">
              {isShippable ? 'Total' : 'Total before shipping'}
            </dt>
            <dd className="text-lg font-bold tabular-nums">{formatExact(isShippable ? priceCents : itemsCents)}</dd>
          </div>
        </dl>
        <p className="sr-only lg:not-sr-only lg:text-sm lg:text-muted">You pay in US dollars.</p>
        <button
          type="button"
          disabled={buyableCount === 0}
          onClick={onProceed}
          className="button ml-auto flex-1 basis-44 sm:flex-none sm:basis-64 lg:ml-0 lg:w-full"
        >
          Proceed to checkout
        </button>
        <a href="/products" className="link hidden min-h-11 items-center justify-center text-sm lg:flex">
          Continue shopping
        </a>
        {children}
      </div>
    </section>
  )
}

function shippingText(cents: number): string {
  return cents === 0 ? 'Free' : formatExact(cents)
}

function ShipTo({ country }: { country: string }) {
  return (
    <label className="block text-sm">
      <span className="mb-1 block font-medium">Ship to</span>
      <select value={country} onChange={event => shipTo(event.target.value)} className="field cursor-pointer">
        <option value="">Choose a country</option>
        {COUNTRIES.map(name => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  )
}
