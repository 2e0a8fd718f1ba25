import type { Wish } from '#contract/wishlist.ts'
import { leadsElsewhere } from '#lib/clicks.ts'
import { type CardAct, storeIntent } from '#lib/accounts/intent.ts'
import { here, loginPath } from '#lib/navigate.ts'
import { readToken } from '#lib/accounts/storage.ts'
import { sayUnavailable } from '../unavailable.ts'

const LINKS = '[data-add-to-cart],[data-add-to-wishlist],[data-choose]'

/**
 * Handles clicks on the cards' links: runs `act` for a customer; stores the action and opens the login for a visitor,
 * unless the browser is offline. Clicks that open another tab or window are left to the browser. A link is busy until
 * the action has ended.
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
      const intent = intentOf(link)
      void actOn(link, () => act(intent))
      return
    }
    // A link to the options is stopped by `stayWhileOffline`, which says the same.
    if (!navigator.onLine) return isChoice ? undefined : sayUnavailable()
    link.ariaBusy = 'true'
    if (isChoice) return
    const intent = intentOf(link)
    if (intent.kind !== 'removeFromWishlist') storeIntent(intent, here())
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
  const isHeart = link.dataset.addToWishlist !== undefined
  if (isHeart) link.toggleAttribute('data-saved')
  else link.ariaBusy = 'true'
  // The work of the stores would delay the frame that shows it.
  await painted()
  try {
    await act()
  } catch (error) {
    if (isHeart) link.toggleAttribute('data-saved')
    throw error
  } finally {
    if (!isHeart) link.ariaBusy = null
  }
}

/** Resolves once the page shows its last changes, or when it is left, so that the click still counts. */
function painted(): Promise<void> {
  return new Promise(resolve => {
    requestAnimationFrame(() => setTimeout(resolve))
    addEventListener('pagehide', () => resolve(), { once: true })
  })
}
