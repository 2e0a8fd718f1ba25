import { CURRENCY_SHOWN, shownCurrency } from '#lib/currency.ts'
import { type Currency, DOLLARS } from '#lib/format.ts'

/** Applies a listing's filters as soon as they are changed. Without this script they need the button. */
export function enhanceFilters(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-filters]')
  if (!form) return
  const prices = form.querySelector<HTMLFieldSetElement>('[data-price]')
  const showPrices = prices && loadPriceSlider(form, prices)

  const count = () => void import('./filter-count.ts').catch(() => undefined)

  // On narrower screens the filters are a panel in which shoppers choose several before applying them.
  const isWide = matchMedia('(min-width: 1024px)')
  // src/scripts/early/clicks.ts noted the input device before this script ran.
  let isByPointer = 'byPointer' in form.dataset
  form.addEventListener('pointerdown', () => (isByPointer = true))
  form.addEventListener('keydown', () => (isByPointer = false))

  // By keyboard, every arrow key changes the choice, so only the button submits.
  form.addEventListener('change', ({ target }) => {
    const isOneTouch = /^(radio|checkbox|range)$/.test((target as HTMLInputElement).type)
    if (isOneTouch && isByPointer && isWide.matches) form.requestSubmit()
    else count()
  })
  form.addEventListener('toggle', count)
  form.addEventListener('formdata', ({ formData }) => {
    const empty = Array.from(formData).filter(([, value]) => value === '')
    for (const [name] of empty) formData.delete(name)
  })
  // A page from the back/forward cache must show the filters of its list, not those chosen when leaving it.
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    form.reset()
    showPrices?.()
  })
}

/**
 * Loads the slider's script at the first touch of the prices, or at once if they were changed before, or show a
 * currency other than that of the HTML. Returns a function that makes a loaded slider show what the fields hold.
 */
function loadPriceSlider(form: HTMLFormElement, prices: HTMLFieldSetElement): () => void {
  let showFields: (() => void) | undefined
  let loading: Promise<void> | undefined
  const load = () => {
    loading ??= import('./price-slider.ts').then(
      x => void (showFields = x.connectPriceSlider(prices)),
      () => void (loading = undefined),
    )
  }
  // A slider that had the focus before this script ran gets only `input`.
  for (const type of ['pointerdown', 'focusin', 'input']) prices.addEventListener(type, load)
  const follow = ({ currency }: Currency) => currency !== DOLLARS.currency && load()
  follow(shownCurrency())
  addEventListener(CURRENCY_SHOWN, event => follow((event as CustomEvent<Currency>).detail))
  const fields = Array.from(prices.elements) as HTMLInputElement[]
  if (fields.some(({ value, defaultValue }) => value !== defaultValue)) load()
  // A thumb that was moved while the script was loading counts, too.
  form.addEventListener('submit', event => {
    if (!loading || showFields) return
    event.preventDefault()
    void loading.then(() => form.requestSubmit(event.submitter))
  })
  return () => showFields?.()
}
