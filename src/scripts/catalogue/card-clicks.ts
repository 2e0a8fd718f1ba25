import type { Wish } from '#contract/wishlist.ts'
import { leadsElsewhere } from '#lib/clicks.ts'
import { type CardAct, keepIntent } from '#lib/accounts/intent.ts'
import { here, loginPath } from '#lib/navigate.ts'
import { readToken } from '#lib/accounts/storage.ts'

const LINKS = '[data-add-to-cart],[data-add-to-wishlist],[data-choose]'

/**
 * Handles clicks on the cards' links: runs `act` for a customer; stores the action and opens the login for a visitor.
 * Clicks that open another tab or window are left to the browser. A link is busy until the action has ended.
 */
export function connectCards(act: (intent: CardAct) => Promise<void>): void {
  document.addEventListener('click', event => {
    const link = (event.target as Element).closest<HTMLAnchorElement>(LINKS)
    if (!link || leadsElsewhere(event)) return
    const isChoice = link.matches('[data-choose]')
    if (!isChoice) event.preventDefault()
    // A second click while the first is in progress does nothing, except on a heart: there, the last click counts.
    if (link.ariaBusy) return
    if (!isChoice && readToken()) {
      void actOn(link, () => act(intentOf(link)))
      return
    }
    link.ariaBusy = 'true'
    if (isChoice) return
    const intent = intentOf(link)
    if (intent.kind !== 'removeFromWishlist') keepIntent(intent, here())
    location.assign(loginPath(here()))
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) for (const link of document.querySelectorAll(LINKS)) link.ariaBusy = null
  })
}

function intentOf({ dataset, ariaLabel }: HTMLElement): CardAct {
  if (dataset.addToWishlist) {
    if (dataset.saved !== undefined) return { kind: 'removeFromWishlist', productId: dataset.addToWishlist }
    return { kind: 'addToWishlist', ...(JSON.parse(dataset.product ?? '') as Wish) }
  }
  // Without 'Add ' and ' to cart'.
  const name = ariaLabel?.slice(4, -8)
  return { kind: 'addToCart', productId: dataset.addToCart ?? '', quantity: 1, name }
}

async function actOn(link: HTMLAnchorElement, act: () => Promise<void>): Promise<void> {
  const acting = act()
  if (link.dataset.addToWishlist) {
    // Before the stores are loaded; they show it from then on.
    link.toggleAttribute('data-saved')
    await acting.catch((error: unknown) => {
      link.toggleAttribute('data-saved')
      throw error
    })
    return
  }
  link.ariaBusy = 'true'
  try {
    await acting
  } finally {
    link.ariaBusy = null
  }
}
