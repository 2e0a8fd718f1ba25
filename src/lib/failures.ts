const TEXTS: [pattern: RegExp, text: string][] = [
  [/^\/$/, 'Failed to fetch featured sellers'],
  [/^\/stores$/, 'Failed to fetch sellers'],
  [/^\/stores\//, 'Failed to fetch products by seller'],
]

/** The error text for a page that could not be loaded, by Astro's route pattern. */
export function failureText(routePattern: string): string {
  return TEXTS.find(([pattern]) => pattern.test(routePattern))?.[1] ?? 'Failed to fetch product'
}
