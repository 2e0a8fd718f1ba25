import { whenIdle } from '#lib/idle.ts'

/**
 * Wakes every carousel of the page in its turn: server HTML that scrolls and snaps by itself. Swiper takes over once it
 * is in view and the page has nothing to do, if there is more to show than fits.
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
  const { startSwiper } = await import('./swiper.ts')
  startSwiper(carousel)
}
