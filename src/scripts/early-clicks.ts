/** The window hears this once the page's script has taken over. */
export const PAGE_AWAKE = 'page-awake'

/**
 * Runs in the head of every page, as text: holds back the clicks, choices, filters and messages that only the page's
 * script can answer, until it can; where that script cannot be had they go to the plain HTML. Nothing from outside of
 * this function is there when it runs.
 */
export function holdClicks(): void {
  const inPlace =
    '[data-add-to-cart],[data-add-to-wishlist],[data-newsletter] button,[data-view],[data-review-page] nav a,[data-customer] [data-signed-in-href]'
  const touches = ['pointerdown', 'keydown']
  const held: (() => void)[] = []
  const hold = (event: MouseEvent) => {
    const control = (event.target as Element).closest<HTMLElement>(inPlace)
    if (!control || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    held.push(() => control.click())
  }
  // Nothing else hears of it now; what hears of it later must not hear of it twice.
  const holdChoice = (event: Event) => {
    const field = event.target as HTMLSelectElement
    if (!field.matches('[data-submit-on-change]') && !field.form?.matches('[data-filters]')) return
    event.stopPropagation()
    held.push(() => field.dispatchEvent(new Event('change', { bubbles: true })))
  }
  // A price that was pulled is in no field of the form yet.
  const holdForm = (event: Event) => {
    const form = event.target as HTMLFormElement
    if (!form.matches('[data-filters]')) return
    event.preventDefault()
    held.push(() => form.requestSubmit())
  }
  // Filters ask by what the choice was made that is held here.
  const noteTouch = ({ type, target }: Event) =>
    (target as Element).closest('[data-filters]')?.toggleAttribute('data-by-pointer', type === 'pointerdown')
  // Who draws messages may not be listening yet.
  const holdMessage = () => held.push(() => dispatchEvent(new Event('toast-waits')))
  const release = () => {
    removeEventListener('click', hold, true)
    removeEventListener('change', holdChoice, true)
    removeEventListener('submit', holdForm, true)
    removeEventListener('toast-waits', holdMessage)
    for (const touch of touches) removeEventListener(touch, noteTouch, true)
    for (const act of held.splice(0)) act()
  }
  addEventListener('click', hold, true)
  addEventListener('change', holdChoice, true)
  addEventListener('submit', holdForm, true)
  addEventListener('toast-waits', holdMessage)
  for (const touch of touches) addEventListener(touch, noteTouch, true)
  addEventListener('page-awake', release)
  addEventListener('error', ({ target }) => target instanceof HTMLScriptElement && release(), true)
}
