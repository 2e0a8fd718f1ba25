import { $savedProducts } from '#stores/cart/wishlist.ts'

/** Fills the hearts of saved products and updates their labels, once they are loaded or a heart was clicked. */
export function showSaved(): void {
  $savedProducts.listen(saved => {
    for (const heart of document.querySelectorAll<HTMLElement>('[data-add-to-wishlist], [data-wish]')) {
      const { addToWishlist, wish = addToWishlist ?? '' } = heart.dataset
      const isSaved = saved.has(wish)
      heart.toggleAttribute('data-saved', isSaved)
      const label = wishLabel(heart.getAttribute('aria-label') ?? '', isSaved)
      heart.setAttribute('aria-label', label)
      heart.closest('[data-tooltip]')?.setAttribute('data-tooltip', label)
    }
  })
}

function wishLabel(label: string, isSaved: boolean): string {
  const name = label.replace(/^(Add|Remove)(?= )/, '').replace(/ (to|from) wishlist$/, '')
  return isSaved ? `Remove${name} from wishlist` : `Add${name} to wishlist`
}
