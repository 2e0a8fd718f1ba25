/** Smaller movements come from a resting finger. */
const MIN_PX = 8

/**
 * On phones, hides the header while the page scrolls down and shows it again on scrolling up. Styles of
 * `Header.astro` decide where, and keep it while the focus is in it.
 */
export function hideHeaderOnTheWayDown(): void {
  const header = document.querySelector<HTMLElement>('body > header')
  if (!header) return
  let last = scrollY
  addEventListener(
    'scroll',
    () => {
      // Safari scrolls beyond the end and springs back.
      const top = Math.min(scrollY, document.documentElement.scrollHeight - innerHeight)
      if (Math.abs(top - last) < MIN_PX) return
      header.toggleAttribute('data-away', top > last && top > header.offsetHeight)
      last = top
    },
    { passive: true },
  )
}
