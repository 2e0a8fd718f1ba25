import { whenIdle } from './idle.ts'

/**
 * Server HTML that scrolls and snaps by itself. Swiper takes over once it is in view and the page has nothing to do,
 * if there is more to show than fits.
 */
class MarketCarousel extends HTMLElement {
  #sight: IntersectionObserver | undefined

  connectedCallback(): void {
    this.#sight = new IntersectionObserver(entries => {
      if (!entries.some(entry => entry.isIntersecting)) return
      this.#sight?.disconnect()
      whenIdle(() => void this.#start())
    })
    this.#sight.observe(this)
  }

  disconnectedCallback(): void {
    this.#sight?.disconnect()
  }

  async #start(): Promise<void> {
    const view = this.querySelector('.carousel-view')
    // Widths are rounded.
    if (!view || view.scrollWidth <= view.clientWidth + 1) return
    const { startSwiper } = await import('./swiper.ts')
    startSwiper(this)
  }
}

/** Wakes every `<market-carousel>` of the page in its turn. */
export function defineCarousel(): void {
  customElements.define('market-carousel', MarketCarousel)
}
