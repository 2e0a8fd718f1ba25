import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { Icon } from '#components/ui/Icon.tsx'
import { RatingText } from '#components/catalogue/reviews/RatingText.tsx'
import { BusyButton } from '#components/ui/Spinner.tsx'
import { Thumbnail } from '#components/ui/Thumbnail.tsx'
import { productPath, shopPath } from '#contract/page-urls.ts'
import { discountedCents } from '#contract/rules.ts'
import type { WishlistItem } from '#contract/wishlist.ts'
import { formatPrice } from '#lib/format.ts'
import { focusContent } from '#page-scripts/focus.ts'
import { addToCart } from '#stores/cart/cart.ts'
import { $alerts } from '#stores/cart/alerts.ts'
import { $shownWishlist, loadWishlist, removeFromWishlist } from '#stores/cart/wishlist.ts'
import { $currency } from '#stores/ui/currency.ts'
import { Blank } from '../ui/Blank.tsx'
import { AlertList, NewAlert } from './Alerts.tsx'

// Two columns, or one with large text.
const grid =
  'grid grid-cols-[repeat(auto-fill,minmax(min(100%,max(8rem,40%)),1fr))] gap-4 md:grid-cols-3 xl:grid-cols-4'

const buyButton = 'button relative mt-2 w-full px-3'

const LOADING = { state: 'loading' } as const

export function Wishlist() {
  const shown = useStore($shownWishlist, { ssr: () => LOADING })
  const alerts = useStore($alerts, { ssr: () => LOADING })
  // The list of alerts comes with the products, so that it moves nothing.
  if (shown.state === 'loading' || alerts.state === 'loading') return <Skeleton />
  if (shown.state === 'failed') return <Blank text={shown.message} onRetry={loadWishlist} />
  if (shown.items.length === 0)
    return (
      <>
        <Blank text="No items in your wishlist" href="/products" action="Browse products" />
        <AlertList />
      </>
    )
  return (
    <>
      <ul className={grid}>
        {shown.items.map(item => (
          <li key={item._id}>
            <SavedProduct item={item} />
          </li>
        ))}
      </ul>
      <AlertList />
    </>
  )
}

function SavedProduct({ item }: { item: WishlistItem }) {
  const { productId, name, slug, image, priceCents, stock, rating, sellerId, shopName, variantCount } = item
  const [isBusy, setIsBusy] = useState(false)
  const paidCents = discountedCents(item)

  function remove() {
    focusContent()
    void removeFromWishlist(productId)
  }

  async function buy() {
    if (isBusy || stock === 0) return
    setIsBusy(true)
    // Probably sold out since the page was opened.
    if (!(await addToCart(productId))) void loadWishlist()
    setIsBusy(false)
  }

  return (
    <article className="card group relative flex h-full flex-col overflow-hidden">
      <Thumbnail image={image || undefined} size={320} className="aspect-square h-auto w-full bg-sunken object-cover" />
      <button
        type="button"
        aria-label={`Remove ${name} from wishlist`}
        onClick={remove}
        className="absolute right-2 top-2 z-10 inline-flex size-11 items-center justify-center rounded-full bg-surface/90 text-ink hover:text-bad"
      >
        <Icon name="trash" />
      </button>
      <div className="flex flex-1 flex-col gap-1 p-3 sm:p-4">
        <h2 className="text-[0.9375rem] font-semibold leading-snug tracking-normal">
          <a
            href={productPath({ slug })}
            dir="auto"
            className="line-clamp-2 after:absolute after:inset-0 hover:text-accent"
          >
            {name}
          </a>
        </h2>
        <a href={shopPath({ sellerId, shopName })} className="relative truncate text-sm text-muted hover:underline">
          {shopName}
        </a>
        <RatingText rating={rating} />
        <p className="mt-auto flex flex-wrap items-baseline gap-x-2 pt-1 text-lg font-bold">
          {(item.highestCents ?? 0) > paidCents && <span className="text-sm font-normal text-muted">from</span>}
          <Amount cents={paidCents} />
          {paidCents < priceCents && (
            <s className="text-sm font-normal text-muted">
              <span className="sr-only">Before: </span>
              <Amount cents={priceCents} />
            </s>
          )}
        </p>
        {variantCount > 1 && stock > 0 ? (
          <a href={productPath({ slug })} className={buyButton}>
            Choose options
            <span className="sr-only">: {name}</span>
          </a>
        ) : (
          <BusyButton
            type="button"
            aria-disabled={stock === 0}
            isBusy={isBusy}
            onClick={() => void buy()}
            className={buyButton}
          >
            {stock === 0 ? 'Out of Stock' : 'Add to cart'}
            <span className="sr-only">: {name}</span>
          </BusyButton>
        )}
        <NewAlert item={item} />
      </div>
    </article>
  )
}

function Skeleton() {
  return (
    <div className={`${grid} animate-pulse`}>
      <output className="sr-only">Loading your wishlist</output>
      {[0, 1, 2, 3].map(at => (
        <div key={at} className="card h-80 bg-sunken" />
      ))}
    </div>
  )
}

/** A price in the customer's currency, in whole units. Sums that will be charged are exact: `formatExact`. */
function Amount({ cents }: { cents: number }) {
  const currency = useStore($currency, { ssr: 'initial' })
  // Another script may have converted the server's price already; hydration must not change it back.
  return (
    <span data-usd={cents} suppressHydrationWarning>
      {formatPrice(cents, currency)}
    </span>
  )
}
