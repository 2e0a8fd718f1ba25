import { connectPriceSlider } from './price-slider.ts'

/** Makes a listing's filters work at a touch; without it they wait for their button. */
export function enhanceFilters(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-filters]')
  const prices = form?.querySelector<HTMLFieldSetElement>('[data-price]')
  if (!form || !prices) return
  const slider = connectPriceSlider(prices)

  // Below this width the filters are a panel, in which several are chosen before it is left.
  const isWide = matchMedia('(min-width: 1024px)')
  // src/scripts/early-clicks.ts noted what came before this script.
  let isByPointer = 'byPointer' in form.dataset
  form.addEventListener('pointerdown', () => (isByPointer = true))
  form.addEventListener('keydown', () => (isByPointer = false))

  // By keyboard, each arrow key is a choice: the button ends it.
  form.addEventListener('change', ({ target }) => {
    const isOneTouch = /^(radio|range)$/.test((target as HTMLInputElement).type)
    if (isOneTouch && isByPointer && isWide.matches) form.requestSubmit()
  })
  // It stands outside of the form, above the list that it sorts.
  const sort = form.elements.namedItem('sortPrice') as HTMLSelectElement | null
  sort?.addEventListener('change', () => form.requestSubmit())
  form.addEventListener('formdata', ({ formData }) => {
    const empty = Array.from(formData).filter(([, value]) => value === '')
    for (const [name] of empty) formData.delete(name)
  })
  // A page that comes back from the browser's memory shows the filters of its list, not the ones that left it.
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    form.reset()
    slider.showFields()
  })
}
