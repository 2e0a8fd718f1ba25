/**
 * Inlined into the head of every page with `toString()`, so it can use nothing outside its own body. Starts the page's
 * script and the deferred pictures only after the first paint or the first touch, so that they do not delay the largest
 * picture.
 */
export function startLate(): void {
  const touches = ['pointerdown', 'keydown', 'click', 'change']
  const page = document.documentElement
  const start = () => {
    const late = document.querySelector<HTMLElement>('script[data-src]')
    // The script may still be arriving. In a finished page without one, it is an ordinary module: only pictures wait.
    if (!late && document.readyState === 'loading') return
    for (const touch of touches) removeEventListener(touch, start, true)
    delete page.dataset.early
    if (!late) return
    const script = document.createElement('script')
    script.type = 'module'
    script.src = late.dataset.src ?? ''
    // Also release held-back clicks if the script failed midway.
    script.addEventListener('load', () => dispatchEvent(new Event('page-awake')))
    late.replaceWith(script)
  }
  page.dataset.early = ''
  for (const touch of touches) addEventListener(touch, start, true)
  addEventListener('load', () => new PerformanceObserver(start).observe({ type: 'paint', buffered: true }))
  // Background tabs are never painted, and a picture may take long.
  addEventListener('DOMContentLoaded', () => setTimeout(start, document.hidden ? 0 : 1000))
}
