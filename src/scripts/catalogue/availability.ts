type Listener = (stock: number) => void

const listeners = new Set<Listener>()
let live: number | undefined

/** The availability text: 'In Stock(3)' or 'Out of Stock'. */
export function availability(stock: number): string {
  return stock > 0 ? `In Stock(${stock})` : 'Out of Stock'
}

/** The stock just fetched from the provider; undefined until then. */
export function liveStock(): number | undefined {
  return live
}

/** Calls `listener` with the live stock, at once if it is known. Returns a function that stops it. */
export function onLiveStock(listener: Listener): () => void {
  listeners.add(listener)
  if (live !== undefined) listener(live)
  return () => listeners.delete(listener)
}

/**
 * Fetches the current stock, because the cached page may show an old one. Before React has hydrated the buy box this
 * edits the server HTML, in the form that hydration expects; afterwards it calls the listeners.
 */
export async function askStock(): Promise<void> {
  const box = document.querySelector<HTMLElement>('[data-buy-box]')
  if (!box) return
  const answer = await fetch(`/api/home/get-availability/${box.dataset.buyBox}`).catch(() => null)
  // On failure the page keeps its stock; the provider checks it when the product goes into the cart.
  if (!answer?.ok) return
  const { stock } = (await answer.json()) as { stock: number }
  live = stock
  if (listeners.size > 0) listeners.forEach(tell => tell(stock))
  else showStock(box, stock)
}

function showStock(box: HTMLElement, stock: number): void {
  const text = box.querySelector<HTMLElement>('[data-availability]')
  if (text?.firstChild) text.firstChild.nodeValue = availability(stock)
  if (text) text.dataset.availability = stock > 0 ? 'in' : 'out'
  for (const button of box.querySelectorAll<HTMLButtonElement>('[data-needs-stock]')) button.disabled = stock === 0
}
