import { whenIdle } from './idle.ts'

/** Server HTML that scrolls and snaps by itself; Swiper takes over once it is in view and the page has nothing to do. */
class MarketCarousel extends HTMLElement {
  #sight: IntersectionObserver | undefined

  connectedCallback(): void {
    this.#sight = new IntersectionObserver(entries => {
      if (!entries.some(entry => entry.isIntersecting)) return
      this.#sight?.disconnect()
      whenIdle(() => void import('./swiper.ts').then(({ startSwiper }) => startSwiper(this)))
    })
    this.#sight.observe(this)
  }

  disconnectedCallback(): void {
    this.#sight?.disconnect()
  }
}

/** Wakes every `<market-carousel>` of the page in its turn. */
export function defineCarousel(): void {
  customElements.define('market-carousel', MarketCarousel)
}
