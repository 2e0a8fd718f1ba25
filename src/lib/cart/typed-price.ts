/**
 * A price as people type it in a currency with `rate` units per dollar, in US cents: '1,299.50', '1299,50' or '€12'.
 * Undefined if it is not a price.
 */
export function centsOf(typed: string, rate: number): number | undefined {
  const digits = typed.replaceAll(/[^\d.,]/g, '')
  const [, whole = '', part = ''] = /^([\d.,]*?)(?:[.,](\d{1,2}))?$/.exec(digits) ?? []
  const amount = Number(`${whole.replaceAll(/[.,]/g, '') || '0'}.${part || '0'}`)
  return amount > 0 ? Math.floor((amount * 100) / rate + 1e-6) : undefined
}
