import { connectPriceSlider } from './price-slider.ts'

/** Applies a listing's filters as soon as they are changed. Without this script they need the button. */
export function enhanceFilters(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-filters]')
  if (!form) return
  const prices = form.querySelector<HTMLFieldSetElement>('[data-price]')
  const slider = prices && connectPriceSlider(prices)

  const count = () => void import('./filter-count.ts')

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
    slider?.showFields()
  })
}
