/** The quantity that a buy box shows. */
export function shownQuantity(box: HTMLElement): number {
  return Number(box.querySelector('output')?.textContent)
}

/**
 * Changes the quantity that a buy box shows before React has hydrated it, in the form that hydration expects. Returns
 * false if it is more than the stock.
 */
export function step(box: HTMLElement, by: number): boolean {
  const quantity = Math.max(1, shownQuantity(box) + by)
  const stock = box.querySelector<HTMLElement>('[data-availability]')!
  // The text has no number if the product is sold without stock.
  const units = /\d+/.exec(stock.textContent)?.[0] ?? Infinity
  if (stock.dataset.availability === 'out' || quantity > Number(units)) return false
  box.querySelector('output')!.textContent = String(quantity)
  box.querySelector('[data-step="-1"]')!.ariaDisabled = String(quantity === 1)
  return true
}
