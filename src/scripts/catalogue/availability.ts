/** The units that can be ordered now, just fetched from the provider. */
export interface LiveStock {
  stock: number
  /** Empty for a product without options. */
  variants: { _id: string; stock: number }[]
}
type Listener = (live: LiveStock) => void

/** The stock of products sold without stock (`MAX_STOCK` in contract/rules.ts, which visitors do not load). */
const UNLIMITED = 1_000_000_000
const listeners = new Set<Listener>()
let live: LiveStock | undefined
/** Whether the buy box has read the live stock, to be hydrated with it. */
let isRead = false

/** The availability text: 'In Stock(3)' or 'Out of Stock'. */
export function availability(stock: number): string {
  if (stock >= UNLIMITED) return 'In Stock'
  return stock > 0 ? `In Stock(${stock})` : 'Out of Stock'
}

/** The text of the button that adds a variant to the cart. */
export function buyText(stock: number): string {
  return stock > 0 ? 'Add to cart' : 'Out of Stock'
}

/** The units of a variant; of the product if it has no variants. */
export function unitsOf({ stock, variants }: LiveStock, variantId: string | undefined): number {
  if (variants.length === 0) return stock
  return variants.find(({ _id }) => _id === variantId)?.stock ?? 0
}

/**
 * The stock just fetched from the provider; undefined until then. From the first call on, the page's HTML stays as it
 * is: React compares it with what it renders, which may take longer than the next fetch.
 */
export function liveStock(): LiveStock | undefined {
  isRead = true
  return live
}

/** Calls `listener` with the live stock, at once if it is known. Returns a function that stops it. */
export function onLiveStock(listener: Listener): () => void {
  listeners.add(listener)
  if (live) listener(live)
  return () => listeners.delete(listener)
}

/**
 * Fetches the current stock, because the cached page may show an old one. Until React hydrates the buy box, this edits
 * the server's HTML, in the form that hydration expects; afterwards, it calls the listeners.
 */
export async function fetchStock(): Promise<void> {
  const box = document.querySelector<HTMLElement>('[data-buy-box]')
  if (!box) return
  const answer = await fetch(`/api/home/get-availability/${box.dataset.buyBox}`).catch(() => null)
  // On failure, the page keeps showing its stock; the provider checks it when the product is added to the cart.
  if (!answer?.ok) return
  live = { variants: [], ...((await answer.json()) as { stock: number }) }
  listeners.forEach(tell => tell(live!))
  if (!isRead) showStock(box, unitsOf(live, box.dataset.variant))
}

function showStock(box: HTMLElement, stock: number): void {
  const text = box.querySelector<HTMLElement>('[data-availability]')
  if (text?.firstChild) text.firstChild.nodeValue = availability(stock)
  if (text) text.dataset.availability = stock > 0 ? 'in' : 'out'
  const buy = box.querySelector('[data-buy-text]')
  if (buy) buy.textContent = buyText(stock)
  for (const button of box.querySelectorAll<HTMLButtonElement>('[data-needs-stock]')) button.disabled = stock === 0
}
