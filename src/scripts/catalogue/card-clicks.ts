import type { Wish } from '#contract/wishlist.ts'
import { leadsElsewhere } from '#lib/clicks.ts'
import { type CardAct, keepIntent } from '#lib/accounts/intent.ts'
import { here, loginPath } from '#lib/navigate.ts'
import { readToken } from '#lib/accounts/storage.ts'

/**
 * Handles clicks on the cards' links: runs `act` for a customer; stores the action and opens the login for a visitor.
 * Clicks that open another tab or window are left to the browser.
 */
export function connectCards(act: (intent: CardAct) => Promise<void>): void {
  document.addEventListener('click', event => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('[data-add-to-cart], [data-add-to-wishlist]')
    if (!link || leadsElsewhere(event)) return
    event.preventDefault()
    const intent = intentOf(link)
    if (readToken()) {
      void actOn(link, () => act(intent))
      return
    }
    if (intent.kind !== 'removeFromWishlist') keepIntent(intent, here())
    location.assign(loginPath(here()))
  })
}

function intentOf({ dataset }: HTMLElement): CardAct {
  if (dataset.addToWishlist) {
    if (dataset.saved !== undefined) return { kind: 'removeFromWishlist', productId: dataset.addToWishlist }
    return { kind: 'addToWishlist', ...(JSON.parse(dataset.product ?? '') as Wish) }
  }
  return { kind: 'addToCart', productId: dataset.addToCart ?? '', quantity: 1 }
}

/** A second click while the first is in progress does nothing. */
async function actOn(link: HTMLAnchorElement, act: () => Promise<void>): Promise<void> {
  if (link.ariaBusy) return
  link.ariaBusy = 'true'
  try {
    await act()
  } finally {
    link.ariaBusy = null
  }
}
