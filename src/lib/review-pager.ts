/** Pages through the reviews in place: fetches the page that the link leads to and takes its reviews. */
export function connectReviewPager(): void {
  document.addEventListener('click', event => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('[data-review-page] nav a')
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void turnTo(link.href)
  })
}

async function turnTo(address: string): Promise<void> {
  const shown = document.querySelector<HTMLElement>('[data-review-page]')
  shown?.setAttribute('aria-busy', 'true')
  const next = await reviewsOf(address)
  if (!shown || !next) return location.assign(address)
  shown.replaceWith(next)
  history.replaceState(history.state, '', address)
  next.focus({ preventScroll: true })
  next.scrollIntoView({ block: 'nearest' })
}

async function reviewsOf(address: string): Promise<HTMLElement | null> {
  try {
    const answer = await fetch(address)
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    return page.querySelector<HTMLElement>('[data-review-page]')
  } catch {
    // Without a network the browser says so itself, on the page that the link leads to.
    return null
  }
}
