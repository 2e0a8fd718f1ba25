/**
 * Shows the bar at the lower edge while the buy box's button is out of view: scrolled past, or below a low window. The
 * bar's button clicks that button.
 */
export function connectBuyBar(): void {
  const bar = document.querySelector<HTMLElement>('[data-buy-bar]')
  const press = bar?.querySelector('button')
  const box = document.querySelector<HTMLElement>('[data-buy-box]')
  const button = () => box?.querySelector<HTMLButtonElement>('[data-add]')
  const first = button()
  if (!bar || !press || !box || !first) return

  const copyState = () => {
    const shown = button()
    // A button that is `disabled` would lose the focus when a click on it is rejected.
    press.ariaDisabled = String(!shown || shown.disabled || shown.ariaDisabled === 'true')
    press.setAttribute('aria-busy', shown?.getAttribute('aria-busy') ?? 'false')
    press.textContent = shown?.textContent.trim() ?? ''
  }
  copyState()
  new MutationObserver(copyState).observe(box, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
  })
  press.addEventListener('click', () => button()?.click())

  const header = document.querySelector<HTMLElement>('body > header')
  const observer = new IntersectionObserver(
    ([seen]) => document.documentElement.toggleAttribute('data-buy-bar-shown', seen?.isIntersecting === false),
    { rootMargin: `-${header?.offsetHeight ?? 0}px 0px 0px 0px` },
  )
  observer.observe(first)
}
