/** The window hears this once the page's script has taken over. */
export const PAGE_AWAKE = 'page-awake'

/**
 * Runs in the head of every page, as text: holds back the clicks on what only the page's script can do, until it can;
 * where that script cannot be had they go to the plain HTML. Nothing from outside of this function is there when it runs.
 */
export function holdClicks(): void {
  const held: HTMLElement[] = []
  const hold = (event: MouseEvent) => {
    const target = event.target as Element
    const control = target.closest<HTMLElement>('[data-add-to-cart],[data-add-to-wishlist],[data-newsletter] button')
    if (!control || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    held.push(control)
  }
  const release = () => {
    removeEventListener('click', hold, true)
    for (const control of held.splice(0)) control.click()
  }
  addEventListener('click', hold, true)
  addEventListener('page-awake', release)
  addEventListener('error', ({ target }) => target instanceof HTMLScriptElement && release(), true)
}
