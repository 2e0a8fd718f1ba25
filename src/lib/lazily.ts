/** Makes a value at the first call, and returns it at each. The first `Intl` format of a page costs a phone 100 ms. */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
