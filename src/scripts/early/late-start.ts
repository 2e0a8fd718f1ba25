import { PAGE_AWAKE } from './clicks.ts'
import { showNearPictures } from './pictures.ts'

/**
 * Starts the page's script and the deferred pictures only after the first paint or the first touch, so that they do not
 * delay the largest picture. Until then the script is inert in a `<template>` (`Shop.astro`).
 */
export function startLate(): void {
  const touches = ['pointerdown', 'keydown', 'click', 'change']
  const page = document.documentElement
  const start = () => {
    // A page prepared ahead may never be shown, and is painted only then.
    if ((document as Document & { prerendering?: boolean }).prerendering)
      return document.addEventListener('prerenderingchange', startAfterPaint, { once: true })
    const late = document.querySelector<HTMLTemplateElement>('template[data-late]')
    // It may still be arriving.
    if (!late) return
    for (const touch of touches) removeEventListener(touch, start, true)
    showNearPictures()
    delete page.dataset.early
    // Also release held-back clicks if the script failed midway.
    late.content.querySelector('script')?.addEventListener('load', () => dispatchEvent(new Event(PAGE_AWAKE)))
    late.replaceWith(late.content)
  }
  const startAfterPaint = () => requestAnimationFrame(() => setTimeout(start))
  page.dataset.early = ''
  for (const touch of touches) addEventListener(touch, start, true)
  addEventListener('load', () => new PerformanceObserver(start).observe({ type: 'paint', buffered: true }))
  // Background tabs are never painted, and a picture may take long.
  addEventListener('DOMContentLoaded', () => setTimeout(start, document.hidden ? 0 : 1000))
}
