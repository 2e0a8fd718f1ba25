/** Adds up a number of each item. */
export function sumBy<T>(items: Iterable<T>, numberOf: (item: T) => number): number {
  let sum = 0
  for (const item of items) sum += numberOf(item)
  return sum
}
