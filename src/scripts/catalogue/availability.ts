type Listener = (stock: number) => void

const listeners = new Set<Listener>()
let live: number | undefined

/** What the buyer reads: 'In Stock(3)' or 'Out of Stock'. */
export function availability(stock: number): string {
  return stock > 0 ? `In Stock(${stock})` : 'Out of Stock'
}

/** The stock that the provider told a moment ago; undefined before it has answered. */
export function liveStock(): number | undefined {
  return live
}

/** Hears the live stock, at once if it is known already. Returns how to stop. */
export function onLiveStock(listener: Listener): () => void {
  listeners.add(listener)
  if (live !== undefined) listener(live)
  return () => listeners.delete(listener)
}

/**
 * A stored page knows yesterday's stock: asks for today's and corrects the page. Until React has taken over the box
 * (then it listens) this changes its server HTML, in the way that React will expect to find it.
 */
export async function askStock(): Promise<void> {
  const box = document.querySelector<HTMLElement>('[data-buy-box]')
  if (!box) return
  const answer = await fetch(`/api/home/get-availability/${box.dataset.buyBox}`).catch(() => null)
  // Without an answer the page goes on saying what it knew; the cart will be asked anyway.
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
