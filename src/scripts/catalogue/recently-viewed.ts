import { RECENTLY_VIEWED } from '#lib/accounts/storage.ts'
import {
  addViewed,
  clearViewed,
  removeViewed,
  type ViewedProduct,
  viewedProducts,
} from '#lib/catalogue/recently-viewed.ts'
import { productAddress } from '#lib/catalogue/suggestions.ts'
import styles from '#styles/recently-viewed.css?url'
import { element } from '../elements.ts'
import { loadStyles } from '../styles.ts'

const NO_PICTURE = '/no-picture.svg'

/**
 * Remembers the page's product, and shows the products viewed before it as soon as that does not shift visible content.
 */
export async function connectRecentlyViewed(): Promise<void> {
  const section = document.querySelector<HTMLElement>('[data-recently-viewed]')
  if (!section) return
  const { recentlyViewed, gone } = section.dataset
  const open = recentlyViewed ? (JSON.parse(recentlyViewed) as ViewedProduct) : undefined
  if (gone) removeViewed(gone)
  if (open) addViewed(open)
  await loadStyles(styles)
  showViewed(section, open?.id)
  await outOfSight(document.querySelector('body > footer'))
  section.hidden = section.childElementCount === 0
  const again = () => {
    showViewed(section, open?.id)
    section.hidden = section.childElementCount === 0
  }
  // Other tabs add products, and a login or logout deletes them.
  addEventListener('storage', ({ key }) => key === RECENTLY_VIEWED && again())
  // Other products may have been viewed before this page was restored from the back/forward cache.
  addEventListener('pageshow', ({ persisted }) => persisted && again())
}

function showViewed(section: HTMLElement, openId: string | undefined): void {
  const products = viewedProducts(openId)
  section.replaceChildren(...(products.length > 0 ? [headerOf(section), listOf(products)] : []))
}

/** Resolves when the element is out of view, so that moving it shifts nothing visible. */
function outOfSight(of: Element | null): Promise<void> {
  return new Promise(resolve => {
    if (!of) return resolve()
    const observer = new IntersectionObserver(entries => {
      if (entries.some(entry => entry.isIntersecting)) return
      observer.disconnect()
      resolve()
    })
    observer.observe(of)
  })
}

function headerOf(section: HTMLElement): HTMLElement {
  const clear = element(
    'button',
    { type: 'button', class: 'viewed-clear', 'aria-label': 'Clear recently viewed products' },
    'Clear',
  )
  clear.addEventListener('click', () => {
    clearViewed()
    section.hidden = true
    section.replaceChildren()
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
  })
  const title = element('h2', { id: 'recently-viewed', class: 'viewed-title' }, 'Recently viewed')
  return element('div', { class: 'viewed-header' }, title, clear)
}

function listOf(products: ViewedProduct[]): HTMLElement {
  return element('ul', { class: 'viewed-list' }, ...products.map(itemOf))
}

function itemOf({ slug, name, image }: ViewedProduct): HTMLElement {
  const picture = element('img', { alt: '', width: '160', height: '160', loading: 'lazy' }) as HTMLImageElement
  // The picture may have been deleted with its product.
  picture.addEventListener('error', () => (picture.src = NO_PICTURE), { once: true })
  picture.src = image || NO_PICTURE
  const link = element('a', { href: productAddress(slug), dir: 'auto' }, picture, element('span', {}, name))
  return element('li', {}, link)
}
