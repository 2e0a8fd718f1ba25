import { whenIdle } from '#lib/idle.ts'

/**
 * Starts each carousel once the page is idle and the carousel is in view, unless all its slides fit. Until then it is
 * plain HTML with native scroll snapping.
 */
export function connectCarousels(): void {
  const observer = new IntersectionObserver(entries => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue
      observer.unobserve(target)
      whenIdle(() => void start(target as HTMLElement))
    }
  })
  for (const carousel of document.querySelectorAll('[data-carousel]')) observer.observe(carousel)
}

async function start(carousel: HTMLElement): Promise<void> {
  const view = carousel.querySelector('.carousel-view')
  // One pixel of tolerance, because widths are rounded.
  if (!view || view.scrollWidth <= view.clientWidth + 1) return
  if (carousel.dataset.carousel === 'strip') await import('./strip.ts').then(strip => strip.startStrip(carousel))
  else await import('./swiper.ts').then(swiper => swiper.startSwiper(carousel))
}
