import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { Icon } from '#components/Icon.tsx'
import { Tooltip } from '#components/Tooltip.tsx'
import { availability, liveStock, onLiveStock } from '#lib/availability.ts'
import { productPath } from '#lib/links.ts'
import { loginPath } from '#lib/navigate.ts'
import { oneLess, oneMore, withinStock } from '#lib/quantity.ts'
import { $customer } from '#stores/session.ts'
import { toast } from '#stores/toasts.ts'
import { CopyLink } from './CopyLink.tsx'

interface Props {
  productId: string
  slug: string
  name: string
  sellerId: string
  stock: number
}

const round =
  'inline-flex size-11 items-center justify-center rounded-control text-ink hover:bg-sunken hover:text-accent disabled:text-muted disabled:opacity-60 disabled:hover:bg-transparent'

/** A plain form: its buttons say where a visitor goes on after the login, with or without JavaScript. */
export function BuyBox({ productId, slug, name, sellerId, stock: storedStock }: Props) {
  // The stored page knows nobody; the first render must be what it says.
  const customer = useStore($customer, { ssr: 'initial' })
  const [stock, setStock] = useState(liveStock() ?? storedStock)
  const [chosen, setChosen] = useState(1)
  useEffect(() => onLiveStock(setStock), [])

  const quantity = withinStock(chosen, stock)
  const product = productPath({ slug })
  const chat = `/dashboard/chat/${sellerId}`

  function more() {
    const next = oneMore(quantity, stock)
    if (next === null) toast('error', 'Out of stock')
    else setChosen(next)
  }

  return (
    <form action="/login" data-buy-box={productId} aria-label={`Buy ${name}`} className="space-y-4">
      <p
        data-availability={stock > 0 ? 'in' : 'out'}
        className="inline-flex items-center gap-2 text-sm font-semibold text-good before:size-2 before:rounded-full before:bg-current data-[availability=out]:text-bad"
      >
        {availability(stock)}
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <div className="inline-flex items-center rounded-control border border-edge bg-surface">
          <button
            type="button"
            aria-label="Decrease quantity"
            disabled={quantity === 1}
            onClick={() => setChosen(oneLess(quantity))}
            className={round}
          >
            <Icon name="minus" />
          </button>
          <output aria-label="Quantity" className="min-w-10 text-center font-semibold tabular-nums">
            {quantity}
          </output>
          <button type="button" aria-label="Increase quantity" onClick={more} className={round}>
            <Icon name="plus" />
          </button>
        </div>
        <button name="next" value={product} data-needs-stock disabled={stock === 0} className="button min-w-40 flex-1">
          <Icon name="cart" />
          Add to cart
        </button>
        <Tooltip text="Add to wishlist">
          <button name="next" value={product} aria-label="Add to wishlist" className="button-quiet size-11 p-0">
            <Icon name="heart" />
          </button>
        </Tooltip>
      </div>
      <button
        name="next"
        value={`/shipping?buy=${encodeURIComponent(slug)}&quantity=${quantity}`}
        data-needs-stock
        disabled={stock === 0}
        className="button w-full bg-ink text-paper hover:bg-ink/85"
      >
        Buy Now
      </button>
      <div className="flex flex-wrap items-center gap-x-2 text-sm">
        <a
          href={customer ? chat : loginPath(chat)}
          rel="nofollow"
          className="inline-flex min-h-11 items-center gap-2 rounded-control px-3 font-semibold hover:bg-sunken hover:text-accent"
        >
          <Icon name="chat" />
          Chat seller
        </a>
        <CopyLink path={product} />
      </div>
    </form>
  )
}
