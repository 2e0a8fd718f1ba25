import { leadsElsewhere } from '#lib/clicks.ts'
import { orSayUnavailable } from '../unavailable.ts'

/** Connects the reviews' buttons, pictures and links to other pages of reviews. Their code loads at the first click. */
export function connectReviews(): void {
  document.addEventListener('click', event => {
    const target = event.target as Element
    const button = target.closest<HTMLButtonElement>('[data-review]')
    if (button) void orSayUnavailable(import('./review-actions.ts').then(x => x.act(button)))
    const link = target.closest<HTMLAnchorElement>('[data-review-pictures] a, [data-tells-reviews] nav a')
    if (!link || leadsElsewhere(event)) return
    event.preventDefault()
    const pictures = link.closest<HTMLElement>('[data-review-pictures]')
    const shown = pictures
      ? import('./zoom.ts').then(x => x.enlarge(pictures, link))
      : import('./review-pager.ts').then(x => x.turnTo(link.href))
    shown.catch(() => location.assign(link.href))
  })
  addEventListener('popstate', () => void import('./review-pager.ts').then(x => x.followAddress()))
}
