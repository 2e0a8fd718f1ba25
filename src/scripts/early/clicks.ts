/** Event on `window` when the page's script has taken over. */
export const PAGE_AWAKE = 'page-awake'

/**
 * Holds back clicks, choices, filters, toasts and Back until the page's script can handle them. If the script cannot
 * load, they go to the plain HTML.
 */
export function holdClicks(): void {
  const inPlace =
    '[data-add-to-cart],[data-add-to-wishlist],[data-newsletter] button,[data-view],[data-main],[data-tells-reviews] nav a,[data-review],[data-customer] [data-signed-in-href]'
  const touches = ['pointerdown', 'keydown']
  const held: (() => void)[] = []
  const hold = (event: MouseEvent) => {
    const control = (event.target as Element).closest<HTMLElement>(inPlace)
    if (!control || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    held.push(() => control.click())
  }
  // Stop the event now, so that listeners added later do not handle it twice.
  const holdChoice = (event: Event) => {
    const field = event.target as HTMLSelectElement
    if (!field.matches('[data-submit-on-change]') && !field.form?.matches('[data-filters],[data-visitor-choice]'))
      return
    event.stopPropagation()
    held.push(() => field.dispatchEvent(new Event('change', { bubbles: true })))
  }
  // A price set with the slider is not yet in a form field.
  const holdForm = (event: Event) => {
    const form = event.target as HTMLFormElement
    if (!form.matches('[data-filters]')) return
    event.preventDefault()
    held.push(() => form.requestSubmit())
  }
  // The filters need to know the input device of a choice held back here.
  const noteTouch = ({ type, target }: Event) =>
    (target as Element).closest('[data-filters]')?.toggleAttribute('data-by-pointer', type === 'pointerdown')
  // The code that displays toasts may not be listening yet.
  const holdMessage = () => held.push(() => dispatchEvent(new Event('toast-waits')))
  // After a reload, Back may return to other reviews.
  const holdReturn = () => held.push(() => dispatchEvent(new Event('popstate')))
  const release = () => {
    removeEventListener('click', hold, true)
    removeEventListener('change', holdChoice, true)
    removeEventListener('submit', holdForm, true)
    removeEventListener('toast-waits', holdMessage)
    removeEventListener('popstate', holdReturn)
    for (const touch of touches) removeEventListener(touch, noteTouch, true)
    for (const act of held.splice(0)) act()
  }
  addEventListener('click', hold, true)
  addEventListener('change', holdChoice, true)
  addEventListener('submit', holdForm, true)
  addEventListener('toast-waits', holdMessage)
  addEventListener('popstate', holdReturn)
  for (const touch of touches) addEventListener(touch, noteTouch, true)
  addEventListener(PAGE_AWAKE, release)
  addEventListener('error', ({ target }) => target instanceof HTMLScriptElement && release(), true)
}
