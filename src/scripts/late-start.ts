/**
 * Runs in the head of every page, as text: starts the page's script once the page has been painted, and lets pictures
 * come that wait for the largest one, so that nothing comes before what is to be seen first; at the first touch at the
 * latest. Nothing from outside of this function is there when it runs.
 */
export function startLate(): void {
  const touches = ['pointerdown', 'keydown', 'click', 'change']
  const page = document.documentElement
  const start = () => {
    const late = document.querySelector<HTMLElement>('script[data-src]')
    // A page that is still arriving may bring it yet; where it is an ordinary module, only the pictures wait.
    if (!late && document.readyState === 'loading') return
    for (const touch of touches) removeEventListener(touch, start, true)
    delete page.dataset.early
    if (!late) return
    const script = document.createElement('script')
    script.type = 'module'
    script.src = late.dataset.src ?? ''
    // Also when it has failed midway, what was held back must go on.
    script.addEventListener('load', () => dispatchEvent(new Event('page-awake')))
    late.replaceWith(script)
  }
  page.dataset.early = ''
  for (const touch of touches) addEventListener(touch, start, true)
  addEventListener('load', () => new PerformanceObserver(start).observe({ type: 'paint', buffered: true }))
  // In the background nothing is painted, and a picture may stay away for long.
  addEventListener('DOMContentLoaded', () => setTimeout(start, document.hidden ? 0 : 1000))
}
