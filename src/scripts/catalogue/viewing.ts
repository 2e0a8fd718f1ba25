/** What somebody who looks at a page does sooner or later. A page that is scrolled back by the browser shows nobody. */
const SIGNS = ['pointerdown', 'keydown', 'wheel']

/** Loads what a product's page needs later, when the shopper first moves: no page waits for it. */
export function awaitViewer(): void {
  if (!document.querySelector('[data-recently-viewed]')) return
  const load = () => void import('./viewed.ts').catch(() => undefined)
  for (const sign of SIGNS) addEventListener(sign, load, { once: true, passive: true })
}
