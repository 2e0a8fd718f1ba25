import { $savedProducts } from '#stores/wishlist.ts'

/** Fills the hearts of the cards whose products are saved, and has them say what they do then. */
export function showSaved(): void {
  $savedProducts.subscribe(saved => {
    for (const heart of document.querySelectorAll<HTMLElement>('[data-add-to-wishlist]')) {
      const isSaved = saved.has(heart.dataset.addToWishlist ?? '')
      heart.toggleAttribute('data-saved', isSaved)
      const label = heart.getAttribute('aria-label') ?? ''
      const name = label.replace(/^(Add|Remove) | (to|from) wishlist$/g, '')
      heart.setAttribute('aria-label', isSaved ? `Remove ${name} from wishlist` : `Add ${name} to wishlist`)
    }
  })
}
