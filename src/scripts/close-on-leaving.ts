/** Closes menus and panels when the page is left: one from the back/forward cache must not be covered by them. */
export function closeOnLeaving(): void {
  addEventListener('pagehide', () => {
    for (const panel of document.querySelectorAll<HTMLElement>(':popover-open')) panel.hidePopover()
    document.querySelector('header details')?.removeAttribute('open')
  })
}
