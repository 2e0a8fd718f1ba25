import { useStore } from '@nanostores/react'
import { type MouseEvent, useState } from 'react'
import { Icon } from '#components/ui/Icon.tsx'
import { Spinner } from '#components/ui/Spinner.tsx'
import { Stepper } from '#components/ui/Stepper.tsx'
import { Tooltip } from '#components/ui/Tooltip.tsx'
import { buyNowPath, chatPath, productPath } from '#contract/page-urls.ts'
import { OptionPicker } from '#components/catalogue/OptionPicker.tsx'
import { availability, buyText } from '#page-scripts/catalogue/availability.ts'
import { shownQuantity } from '#page-scripts/catalogue/shown-quantity.ts'
import type { BuyBoxProduct } from '#lib/catalogue/load-product.ts'
import { optionsOf } from '#lib/catalogue/variants.ts'
import { loginPath } from '#lib/navigate.ts'
import { oneLess, oneMore, withinStock } from '#lib/cart/quantity.ts'
import { $customer } from '#stores/accounts/session.ts'
import { toast } from '#stores/ui/toasts.ts'
import { $savedProducts } from '#stores/cart/wishlist.ts'
import { CopyLink } from './CopyLink.tsx'
import { useAlert } from './use-alert.ts'
import { useBuying } from './use-buying.ts'
import { useVariant } from './use-variant.ts'

interface Props {
  product: BuyBoxProduct
  /** The variant that the page's address names. */
  variantId?: string | undefined
}

const NOTHING_SAVED = new Set<string>()

/** The place of 'Buy Now': a row of its own; on a phone, the half beside 'Add to cart'. */
const BUY_PLACE = 'button-quiet min-w-32 flex-1 px-3 max-md:order-4 md:basis-full'

/**
 * A plain form. Visitors are led to the login and back, even without JavaScript; for customers, the buttons work at
 * once. Without JavaScript, a product's options are sent to its page, which finds the chosen variant.
 */
export function BuyBox({ product, variantId: askedId }: Props) {
  const { _id: productId, name, sellerId } = product
  // The cached page is the same for everyone, so the first render must show a visitor.
  const customer = useStore($customer, { ssr: 'initial' })
  const { variants, variant, chosenId, stock, isOut, isAlertOffered, isHydrated, pick } = useVariant(product, askedId)
  const [wanted, setWanted] = useState(quantityInPage)
  const variantId = variant?._id
  const isAlertSet = useAlert(isAlertOffered && customer !== null, productId, variantId)
  // The first render must be what the page shows.
  const quantity = isHydrated ? withinStock(wanted, stock) : wanted
  const here = productPath(product, chosenId)
  const checkout = buyNowPath(product, quantity, variantId)
  const { busy, add, save, tellWhenBack, buy } = useBuying(product, { variantId, quantity, here, checkout })
  const chat = chatPath(sellerId, { productId })

  function more() {
    const next = oneMore(quantity, stock)
    if (next === null) toast('error', 'Out of stock')
    else setWanted(next)
  }

  /** What a button sends without JavaScript. */
  const sends = (button: 'cart' | 'buy', next: string) =>
    variant ? { name: 'button', value: button } : { name: 'next', value: next }

  return (
    <form
      action={variant ? productPath(product) : '/login'}
      autoComplete="off"
      data-buy-box={productId}
      data-variant={variantId}
      aria-label={`Buy ${name}`}
      className="flex flex-col gap-2 md:gap-4"
    >
      {variant && (
        <>
          <OptionPicker options={optionsOf(variants, variant)} swatches={product.swatches} onChoose={pick} />
          <input type="hidden" name="variant" value={variantId} />
          <ShowChoice />
        </>
      )}
      {/*
        On a phone the quantity, the availability and the heart share a row, and both buttons the next one. Without
        JavaScript there is no quantity, whose place the availability takes.
      */}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 md:gap-y-3">
        <p
          aria-live="polite"
          data-availability={stock > 0 ? 'in' : 'out'}
          className="flex items-center gap-2 text-sm font-semibold text-good before:size-2 before:shrink-0 before:rounded-full before:bg-current data-[availability=out]:text-bad max-md:order-1 max-md:min-w-0 max-md:flex-1 max-md:basis-20 md:w-full max-md:[@media(scripting:none)]:basis-[70%]"
        >
          {availability(stock)}
        </p>
        <Stepper label="Quantity" quantity={quantity} onLess={() => setWanted(oneLess(quantity))} onMore={more} />
        <button
          {...sends('cart', here)}
          data-add
          data-needs-stock
          // Only a plain form needs `disabled`, which would take the focus from the button after a rejected click.
          disabled={isOut && !isHydrated}
          aria-disabled={(isHydrated && isOut) || undefined}
          aria-busy={busy.has('addToCart')}
          onClick={isOut ? event => event.preventDefault() : add}
          className="button min-w-32 flex-1 px-3 aria-busy:opacity-60 max-md:order-3"
        >
          {busy.has('addToCart') ? <Spinner /> : <Icon name="cart" />}
          {variant ? <span data-buy-text>{buyText(stock)}</span> : 'Add to cart'}
        </button>
        <span className="max-md:order-2">
          <WishButton productId={productId} formAction={variant && '/login'} here={here} onClick={save} />
        </span>
        {isAlertOffered ? (
          // In the place of 'Buy Now', so that nothing moves when the last one is sold.
          alertButton({ isSet: isAlertSet, isBusy: busy.has('tellWhenBack'), here, onClick: tellWhenBack })
        ) : (
          <button {...sends('buy', checkout)} onClick={buy} data-needs-stock disabled={isOut} className={BUY_PLACE}>
            Buy Now
          </button>
        )}
      </div>
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

/** Shows the chosen options without JavaScript. */
function ShowChoice() {
  return (
    <button
      name="button"
      value="show"
      // Enter in an option presses the form's first button.
      onClick={event => event.preventDefault()}
      className="button-quiet hidden [@media(scripting:none)]:inline-flex"
    >
      Show this choice
    </button>
  )
}

interface WishButtonProps {
  productId: string
  formAction: string | undefined
  /** The path of this page. */
  here: string
  onClick: (event: MouseEvent) => void
}

function WishButton({ productId, formAction, here, onClick }: WishButtonProps) {
  const isSaved = useStore($savedProducts, { ssr: () => NOTHING_SAVED }).has(productId)
  const text = isSaved ? 'Remove from wishlist' : 'Add to wishlist'
  return (
    <Tooltip text={text}>
      <button
        formAction={formAction}
        name="next"
        value={here}
        data-wish={productId}
        data-saved={isSaved ? '' : undefined}
        aria-label={text}
        onClick={onClick}
        className="button-quiet size-11 p-0 data-[saved]:text-accent [&[data-saved]_path]:fill-current"
      >
        <Icon name="heart" />
      </button>
    </Tooltip>
  )
}

interface AlertButtonProps {
  isSet: boolean
  isBusy: boolean
  /** The path of this page. */
  here: string
  onClick: (event: MouseEvent) => void
}

/** Not a component: React then turns 'Buy Now' into this button, which keeps the focus. */
function alertButton({ isSet, isBusy, here, onClick }: AlertButtonProps) {
  return (
    <button
      formAction="/login"
      name="next"
      value={here}
      aria-busy={isBusy}
      onClick={onClick}
      // On a phone its text has two lines.
      className={`${BUY_PLACE} leading-tight aria-busy:opacity-60 max-md:py-0 max-md:text-sm`}
    >
      {isBusy ? <Spinner /> : isSet && <Icon name="check" />}
      {isSet ? (
        <span>
          We will tell you. <u>End alert</u>
        </span>
      ) : (
        'Tell me when it is back'
      )}
    </button>
  )
}

/** The quantity that the shopper chose before hydration. */
function quantityInPage(): number {
  const box = globalThis.document?.querySelector<HTMLElement>('[data-buy-box]')
  return box ? shownQuantity(box) : 1
}
