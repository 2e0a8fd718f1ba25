/** One more, or `null` when the stock is reached. */
export function oneMore(quantity: number, stock: number): number | null {
  return quantity < stock ? quantity + 1 : null
}

/** One less, never below 1. */
export function oneLess(quantity: number): number {
  return Math.max(1, quantity - 1)
}

/** Clamps a quantity to the stock, but at least 1, the stepper's minimum. */
export function withinStock(quantity: number, stock: number): number {
  return Math.max(1, Math.min(quantity, stock))
}
