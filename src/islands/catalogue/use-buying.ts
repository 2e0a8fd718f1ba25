import type { MouseEvent } from 'react'
import { wishFor } from '#contract/wishlist.ts'
import { type Intent, storeIntent } from '#lib/accounts/intent.ts'
import type { BuyBoxProduct } from '#lib/catalogue/load-product.ts'
import { loginPath } from '#lib/navigate.ts'
import { fetchStock } from '#page-scripts/catalogue/availability.ts'
import { orSayUnavailable } from '#page-scripts/unavailable.ts'
import { $customer } from '#stores/accounts/session.ts'
import { addToCart } from '#stores/cart/cart.ts'
import { toggleSaved } from '#stores/cart/wishlist.ts'
import { sayIfOffline } from '#stores/ui/offline.ts'
import { useOnce } from '../ui/use-once.ts'

interface Choice {
  variantId: string | undefined
  quantity: number
  /** The path of this page. */
  here: string
  /** The path of 'Buy Now'. */
  checkout: string
}

/** What the buttons of a product do: at once for customers; visitors are led to the login first. */
export function useBuying(product: BuyBoxProduct, { variantId, quantity, here, checkout }: Choice) {
  const { _id: productId, name } = product
  const [busy, once] = useOnce<Intent['kind']>()

  /** Runs the action for a customer. For a visitor, stores it and opens the login. */
  async function runOrLogIn(event: MouseEvent, intent: Intent, run: () => Promise<void>) {
    event.preventDefault()
    // The last click on the heart counts; other actions run once at a time.
    if ($customer.get()) return intent.kind === 'addToWishlist' ? run() : once(intent.kind, run)
    if (sayIfOffline()) return
    storeIntent(intent, here)
    location.assign(loginPath(here))
  }

  return {
    busy,

    add(event: MouseEvent) {
      const intent = { kind: 'addToCart', productId, quantity, variantId, name } as const
      void runOrLogIn(event, intent, async () => {
        // Probably sold out since the page was opened.
        if (!(await addToCart(productId, quantity, variantId)) && navigator.onLine) await fetchStock()
      })
    },

    save(event: MouseEvent) {
      const wish = wishFor(product)
      void runOrLogIn(event, { kind: 'addToWishlist', ...wish }, () => toggleSaved(wish))
    },

    tellWhenBack(event: MouseEvent) {
      const intent = { kind: 'tellWhenBack', productId, variantId, name } as const
      void runOrLogIn(event, intent, async () => {
        if (sayIfOffline()) return
        const { toggleAlert } = await orSayUnavailable(import('#stores/cart/alerts.ts'))
        await toggleAlert(intent)
      })
    },

    buy(event: MouseEvent) {
      event.preventDefault()
      if (!sayIfOffline()) location.assign($customer.get() ? checkout : loginPath(checkout))
    },
  }
}
