/** One more, or `null` when the stock has no more. */
export function oneMore(quantity: number, stock: number): number | null {
  return quantity < stock ? quantity + 1 : null
}

/** One less, never below 1. */
export function oneLess(quantity: number): number {
  return Math.max(1, quantity - 1)
}

/** A quantity chosen before the stock fell; at least 1, so that the stepper stays what it is. */
export function withinStock(quantity: number, stock: number): number {
  return Math.max(1, Math.min(quantity, stock))
}
