import { whenIdle } from '#lib/idle.ts'

/**
 * Starts each carousel that is in view once the page is idle, if the slides do not fit. Until then it is server HTML with
 * native scroll snapping.
 */
export function connectCarousels(): void {
  const sight = new IntersectionObserver(entries => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue
      sight.unobserve(target)
      whenIdle(() => void start(target as HTMLElement))
    }
  })
  for (const carousel of document.querySelectorAll('[data-carousel]')) sight.observe(carousel)
}

async function start(carousel: HTMLElement): Promise<void> {
  const view = carousel.querySelector('.carousel-view')
  // Widths are rounded.
  if (!view || view.scrollWidth <= view.clientWidth + 1) return
  if (carousel.dataset.carousel === 'strip') (await import('./strip.ts')).startStrip(carousel)
  else (await import('./swiper.ts')).startSwiper(carousel)
}
