import type { Wish } from '#contract/wishlist.ts'
import { leadsElsewhere } from '#lib/clicks.ts'
import { type CardAct, keepIntent } from '#lib/accounts/intent.ts'
import { here, loginPath } from '#lib/navigate.ts'
import { readToken } from '#lib/accounts/storage.ts'

/**
 * Makes the cards' links act: a customer stays and `act` is done, a visitor goes to the login and comes back to this
 * page. A click that asks for another tab or window goes where the link leads.
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

/** A second click while the first one is on its way does nothing. */
async function actOn(link: HTMLAnchorElement, act: () => Promise<void>): Promise<void> {
  if (link.ariaBusy) return
  link.ariaBusy = 'true'
  try {
    await act()
  } finally {
    link.ariaBusy = null
  }
}
