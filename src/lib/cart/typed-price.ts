/** One number, with or without the currency around it. A point after letters belongs to them: 'Rs.50'. */
const ONE_NUMBER = /^[^\d-]*?((?:(?<!\p{L})[.,])?\d[\d.,\s]*)\D*$/u

/**
 * A price as people type it in a currency with `rate` units per dollar, in US cents: '1,299.50', '1299,50' or '€12'.
 * Undefined if it is not a price.
 */
export function centsOf(typed: string, rate: number): number | undefined {
  const digits = ONE_NUMBER.exec(typed)?.[1]?.replaceAll(/\s/g, '') ?? ''
  const [, whole = '', part = ''] = /^([\d.,]*?)(?:[.,](\d{1,2}))?$/.exec(digits) ?? []
  const amount = Number(`${whole.replaceAll(/[.,]/g, '') || '0'}.${part || '0'}`)
  return amount > 0 ? Math.floor((amount * 100) / rate + 1e-6) : undefined
}

/** From this rate on, one unit is so little that prices are typed without cents. */
const WHOLE_UNITS_RATE = 50

/**
 * A price in US cents as people would type it in a currency with `rate` units per dollar: '19.50', or '20' if whole.
 */
export function typedPrice(cents: number, rate: number): string {
  const parts = rate < WHOLE_UNITS_RATE ? 100 : 1
  const amount = Math.round((cents / 100) * rate * parts) / parts
  return Number.isInteger(amount) ? String(amount) : amount.toFixed(2)
}
