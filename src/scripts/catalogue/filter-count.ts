import { formatCount } from '#lib/format.ts'

/** After this time, in milliseconds, the button no longer shows the number for the choices before. */
const PATIENCE = 200
/** Parameters of the page that do not change how many products there are. */
const NOT_COUNTED = ['sortPrice', 'layout', 'pageNumber']

let asking = new AbortController()

const filters = document.querySelector<HTMLFormElement>('form[data-filters]')
if (filters) {
  const count = () => void countChosen(filters)
  filters.addEventListener('change', count)
  filters.addEventListener('toggle', ({ newState }) => newState === 'open' && count())
  count()
}

/** Says on the form's button how many products its choices leave: 'Show 42 products'. */
async function countChosen(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector('[data-apply]')!
  asking.abort()
  const { signal } = (asking = new AbortController())
  const timer = setTimeout(() => show(button, 'Show products'), PATIENCE)
  const total = await fetchTotal(queryOf(form), signal)
  clearTimeout(timer)
  if (signal.aborted) return
  if (total === undefined) return show(button, 'Apply filters')
  show(button, total === 0 ? 'No products' : `Show ${formatCount(total, 'product', 'products')}`)
}

/** The text changes where nobody may be looking: a screen reader says it. */
function show(button: Element, text: string): void {
  button.textContent = text
  button.nextElementSibling!.textContent = text
}

/** What `countProducts` of the contract takes. A shop's page lists the products of that shop. */
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

/** Undefined without an answer. */
async function fetchTotal(query: URLSearchParams, signal: AbortSignal): Promise<number | undefined> {
  try {
    const answer = await fetch(`/api/home/count-products?${query}`, { signal })
    return answer.ok ? ((await answer.json()) as { totalProduct: number }).totalProduct : undefined
  } catch {
    return undefined
  }
}
