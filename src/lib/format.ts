import { lazily } from './lazily.ts'

export interface Currency {
  /** Currency code, for example 'EUR'. */
  currency: string
  /** Units of the currency per US dollar. */
  rate: number
}

export const DOLLARS: Currency = { currency: 'USD', rate: 1 }
const exact = lazily(() => new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' }))
// Cached, because creating a formatter takes longer than using it a hundred times.
const wholePrices = new Map<string, Intl.NumberFormat>()

/** US cents as a whole-number price, converted and rounded: '$1,299'. */
export function formatPrice(cents: number, { currency, rate }: Currency = DOLLARS): string {
  // Most visitors see dollars: this avoids creating a formatter.
  if (currency === DOLLARS.currency && cents >= 0) return `$${grouped(Math.round((cents * rate) / 100))}`
  let form = wholePrices.get(currency)
  if (!form) {
    form = new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits: 0 })
    wholePrices.set(currency, form)
  }
  return form.format(Math.round((cents * rate) / 100))
}

/** US cents as an exact price: '$1,299.50'. */
export function formatExact(cents: number): string {
  return exact().format(cents / 100)
}

/** '1 product', '1,204 products'. */
export function formatCount(count: number, one: string, many: string): string {
  return `${grouped(count)} ${count === 1 ? one : many}`
}

/** '1,204', without a formatter. */
export function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',')
}

/** 'March 2025', in UTC as on stored pages, which are the same for everyone. */
export function formatMonth(moment: string): string {
  return new Date(moment).toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
}
