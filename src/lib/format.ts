export interface Currency {
  /** The code, 'EUR'. */
  currency: string
  /** Units of the currency for one US dollar. */
  rate: number
}

export const DOLLARS: Currency = { currency: 'USD', rate: 1 }
const oneDecimal = onFirstUse(() => new Intl.NumberFormat('en', { maximumFractionDigits: 1 }))
const exact = onFirstUse(() => new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' }))
const characters = onFirstUse(() => new Intl.Segmenter('en'))
// Making a formatter costs more than a hundred uses of it.
const wholePrices = new Map<string, Intl.NumberFormat>()

/** The whole-number price that shoppers see, '$1,299': cents of US dollars, converted and rounded. */
export function formatPrice(cents: number, { currency, rate }: Currency = DOLLARS): string {
  // All that a visitor's page shows.
  if (currency === DOLLARS.currency && cents >= 0) return `$${grouped(Math.round((cents * rate) / 100))}`
  let form = wholePrices.get(currency)
  if (!form) {
    form = new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits: 0 })
    wholePrices.set(currency, form)
  }
  return form.format(Math.round((cents * rate) / 100))
}

/** What is really charged, '$1,299.50': cents of US dollars, to the cent. */
export function formatExact(cents: number): string {
  return exact().format(cents / 100)
}

/** '-10%', '-12.5%'. */
export function formatDiscount(percent: number): string {
  return `-${oneDecimal().format(percent)}%`
}

/** '1 product', '1,204 products'. */
export function formatCount(count: number, one: string, many: string): string {
  return `${grouped(count)} ${count === 1 ? one : many}`
}

/** At most `length` characters of a text, '...' behind it when something was cut. Never halves a character. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text
  let count = 0
  // No further than to the cut: a description may have a hundred thousand characters.
  for (const { index } of characters().segment(text)) {
    if (count === length) return `${text.slice(0, index).trimEnd()}...`
    count += 1
  }
  return text
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** The words of a piece of HTML, for places that show plain text; the result is text and must be escaped again. */
export function plainText(html: string): string {
  return html
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** '1,204'. A whole number needs no formatter. */
function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',')
}

/** The first formatter that a page makes costs a phone a tenth of a second. */
function onFirstUse<Made>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => (made ??= make())
}
