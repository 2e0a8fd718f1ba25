let newestTurn = 0
let onReplaced = () => {}

/** Calls `mark` whenever other reviews are shown. */
export function afterReplacing(mark: () => void): void {
  onReplaced = mark
}

/**
 * Pages, sorts and filters the reviews in place: fetches the linked page and inserts its reviews. Back returns to those
 * shown before.
 */
export async function turnTo(address: string): Promise<void> {
  if (await show(address)) history.pushState(history.state, '', withVariant(address))
}

/** Shows the reviews that the address names, after Back or Forward. */
export function followAddress(): void {
  const shown = shownReviews()?.dataset.reviewPage
  if (shown !== undefined && choiceIn(shown) !== choiceIn(location.search)) void show(location.href)
}

/** The part of a query that chooses reviews; other parameters, such as those of ads, change nothing. */
function choiceIn(query: string): string {
  const named = new URLSearchParams(query)
  return ['reviews', 'reviewSort', 'stars'].map(name => named.get(name)).join()
}

/** Returns whether the reviews are shown; the shopper may have turned to others meanwhile. */
async function show(address: string): Promise<boolean> {
  const turn = (newestTurn += 1)
  shownReviews()?.setAttribute('aria-busy', 'true')
  const fresh = await documentAt(address)
  // The shopper has turned to another page in the meantime.
  if (turn !== newestTurn) return false
  if (!fresh || !shownReviews(fresh)) {
    shownReviews()?.removeAttribute('aria-busy')
    location.assign(address)
    return false
  }
  replaceReviews(fresh)
  const next = shownReviews()
  next?.focus({ preventScroll: true })
  next?.scrollIntoView({ block: 'nearest' })
  return true
}

/** Fetches this page again and replaces everything about reviews: list, counts, rating and structured data. */
export async function showNewReviews(): Promise<void> {
  const { pathname } = location
  const fresh = await documentAt(pathname)
  if (!fresh) return
  replaceReviews(fresh)
  history.replaceState(history.state, '', withVariant(location.origin + pathname + location.hash))
}

/** The address with the variant that the shopper has chosen since. */
function withVariant(address: string): URL {
  const url = new URL(address)
  const chosen = new URLSearchParams(location.search).get('variant')
  if (chosen) url.searchParams.set('variant', chosen)
  return url
}

function replaceReviews(fresh: Document): void {
  const parts = (page: Document) => [...page.querySelectorAll('[data-tells-reviews]')]
  const freshParts = parts(fresh)
  for (const [at, part] of parts(document).entries()) {
    const next = freshParts[at]
    if (next) part.replaceWith(next)
  }
  onReplaced()
}

function shownReviews(page = document): HTMLElement | null {
  return page.querySelector<HTMLElement>('[data-review-page]')
}

async function documentAt(address: string): Promise<Document | null> {
  try {
    // The browser's cached copy may be out of date.
    const response = await fetch(address, { cache: 'no-cache' })
    return response.ok ? new DOMParser().parseFromString(await response.text(), 'text/html') : null
  } catch {
    // The network failed.
    return null
  }
}
