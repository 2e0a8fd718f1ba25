import type { StoredCurrency } from '#lib/currency.ts'
import { DOLLARS, formatCount } from '#lib/format.ts'
import { readVisitorCurrency, storeVisitorCurrency } from '#lib/visitor-currency.ts'

// Loaded when a shopper opens the filters or changes one: code that the page does not need before.

/** After this time without a new number, the button stops showing the old one. */
const OUTDATED_MS = 200
/** Parameters of the page that do not affect the number of products. */
const NOT_COUNTED = ['sortPrice', 'layout', 'pageNumber']

let asking = new AbortController()

const filters = document.querySelector<HTMLFormElement>('form[data-filters]')
if (filters) {
  const count = () => void countChosen(filters)
  filters.addEventListener('change', count)
  filters.addEventListener('toggle', ({ newState }) => newState === 'open' && count())
  filters.addEventListener('submit', () => storeCountry(filters))
  // filter-form.ts has reset the choices by then.
  addEventListener('pageshow', ({ persisted }) => persisted && count())
  count()
}

/**
 * Replaces a guessed country by a chosen 'Ships to', but not one that was chosen in the footer. A country that a link
 * brought along says nothing about the shopper.
 */
function storeCountry(form: HTMLFormElement): void {
  const shipsTo = form.querySelector<HTMLSelectElement>('[name=shipsTo]')
  if (!shipsTo?.value || shipsTo.selectedOptions[0]?.defaultSelected) return
  const stored: StoredCurrency = readVisitorCurrency() ?? DOLLARS
  if (stored.isGuess || !stored.country) storeVisitorCurrency({ ...stored, country: shipsTo.value, isGuess: true })
}

/** Shows on the form's button how many products match the choices: 'Show 42 products'. */
async function countChosen(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector('[data-apply]')!
  asking.abort()
  const { signal } = (asking = new AbortController())
  const timer = setTimeout(() => showText(button, 'Show products'), OUTDATED_MS)
  const total = await fetchTotal(queryOf(form), signal)
  clearTimeout(timer)
  if (signal.aborted) return
  if (total === undefined) return showText(button, 'Apply filters')
  showText(button, total === 0 ? 'No products' : `Show ${formatCount(total, 'product', 'products')}`)
}

/** Also sets the live region after the button, so that screen readers announce the change. */
function showText(button: Element, text: string): void {
  button.textContent = text
  button.nextElementSibling!.textContent = text
}

/** The query for the contract's `countProducts`. On a shop's page, only products of that shop count. */
function queryOf(form: HTMLFormElement): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && !NOT_COUNTED.includes(name))
      query.append(name === 'value' ? 'searchValue' : name, value)
  }
  const { filters: shop } = form.dataset
  if (shop) query.append('shop', shop)
  return query
}

/** Undefined if the request fails. */
async function fetchTotal(query: URLSearchParams, signal: AbortSignal): Promise<number | undefined> {
  try {
    const answer = await fetch(`/api/home/count-products?${query}`, { signal })
    return answer.ok ? ((await answer.json()) as { totalProduct: number }).totalProduct : undefined
  } catch {
    return undefined
  }
}
