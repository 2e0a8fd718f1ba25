import { useStore } from '@nanostores/react'
import { type MouseEvent, useEffect, useState } from 'react'
import { Icon } from '#components/ui/Icon.tsx'
import { Spinner } from '#components/ui/Spinner.tsx'
import { Stepper } from '#components/ui/Stepper.tsx'
import { Tooltip } from '#components/ui/Tooltip.tsx'
import { chatPath, productPath } from '#contract/page-urls.ts'
import { wishFor } from '#contract/wishlist.ts'
import { availability, liveStock, onLiveStock } from '#page-scripts/catalogue/availability.ts'
import { type Intent, keepIntent } from '#lib/accounts/intent.ts'
import type { BuyBoxProduct } from '#lib/catalogue/load-product.ts'
import { loginPath } from '#lib/navigate.ts'
import { oneLess, oneMore, withinStock } from '#lib/cart/quantity.ts'
import { addToCart } from '#stores/cart/cart.ts'
import { $customer } from '#stores/accounts/session.ts'
import { toast } from '#stores/ui/toasts.ts'
import { $savedProducts, toggleSaved } from '#stores/cart/wishlist.ts'
import { CopyLink } from './CopyLink.tsx'
import { useOnce } from '../ui/once.ts'

interface Props {
  product: BuyBoxProduct
}

const NOTHING_SAVED = new Set<string>()

/** A plain form: a visitor's buttons lead to the login and back, even without JavaScript; a customer's act at once. */
export function BuyBox({ product }: Props) {
  const { _id: productId, slug, name, sellerId, stock: storedStock } = product
  // The cached page is the same for everyone, so the first render must show a visitor.
  const customer = useStore($customer, { ssr: 'initial' })
  const [stock, setStock] = useState(liveStock() ?? storedStock)
  const [chosen, setChosen] = useState(1)
  const isSaved = useStore($savedProducts, { ssr: () => NOTHING_SAVED }).has(productId)
  const [busy, once] = useOnce<Intent['kind']>()
  useEffect(() => onLiveStock(setStock), [])

  const quantity = withinStock(chosen, stock)
  const here = productPath({ slug })
  const checkout = `/shipping?buy=${encodeURIComponent(slug)}&quantity=${quantity}`
  const save = wishFor(product)
  const wish = isSaved ? 'Remove from wishlist' : 'Add to wishlist'
  const chat = chatPath(sellerId)

  function more() {
    const next = oneMore(quantity, stock)
    if (next === null) toast('error', 'Out of stock')
    else setChosen(next)
  }

  /** Runs the action for a customer. For a visitor, stores it and lets the form go to the login. */
  async function perform(event: MouseEvent, intent: Intent, act: () => Promise<void>) {
    if (!$customer.get()) return keepIntent(intent, here)
    event.preventDefault()
    await once(intent.kind, act)
  }

  function buy(event: MouseEvent) {
    if (!$customer.get()) return
    event.preventDefault()
    location.assign(checkout)
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
        <Stepper label="Quantity" quantity={quantity} onLess={() => setChosen(oneLess(quantity))} onMore={more} />
        <button
          name="next"
          value={here}
          data-needs-stock
          disabled={stock === 0}
          aria-busy={busy.has('addToCart')}
          onClick={event =>
            void perform(event, { kind: 'addToCart', productId, quantity }, () => addToCart(productId, quantity))
          }
          className="button min-w-32 flex-1 px-3 aria-busy:opacity-60"
        >
          {busy.has('addToCart') ? <Spinner /> : <Icon name="cart" />}
          Add to cart
        </button>
        <Tooltip text={wish}>
          <button
            name="next"
            value={here}
            data-wish={productId}
            data-saved={isSaved ? '' : undefined}
            aria-label={wish}
            aria-busy={busy.has('addToWishlist')}
            onClick={event => void perform(event, { kind: 'addToWishlist', ...save }, () => toggleSaved(save))}
            className="button-quiet size-11 p-0 aria-busy:opacity-60 data-[saved]:text-accent [&[data-saved]_path]:fill-current"
          >
            <Icon name="heart" />
          </button>
        </Tooltip>
      </div>
      <button
        name="next"
        value={checkout}
        onClick={buy}
        data-needs-stock
        disabled={stock === 0}
        className="button w-full bg-ink text-paper hover:bg-ink/85"
      >
        Buy Now
      </button>
      <div className="flex flex-wrap items-center gap-x-2 text-sm">
        <a
          href={customer ? chat : loginPath(chat)}
          data-signed-in-href={chat}
          rel="nofollow"
          className="inline-flex min-h-11 items-center gap-2 rounded-control px-3 font-semibold hover:bg-sunken hover:text-accent"
        >
          <Icon name="chat" />
          Chat seller
        </a>
        <CopyLink path={here} />
      </div>
    </form>
  )
}
