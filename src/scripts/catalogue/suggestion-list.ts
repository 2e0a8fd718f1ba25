import { shownCurrency } from '#lib/currency.ts'
import { formatPrice } from '#lib/format.ts'
import { pictureAt } from '#lib/media.ts'
import {
  categoryAddress,
  markWords,
  productAddress,
  searchAddress,
  type SentSuggestions,
  shopAddress,
} from '#lib/catalogue/suggestions.ts'
import { type Attributes, element } from '../elements.ts'

type Content = (Node | string)[]

let made = 0

/** Ids are never reused, so that no screen reader mistakes a new option for an old one. */
function option(tag: 'a' | 'div', attributes: Attributes, ...content: Content): HTMLElement {
  const own = { id: `suggestion-${(made += 1)}`, role: 'option', 'aria-selected': 'false', tabindex: '-1' }
  return element(tag, { ...own, ...attributes }, ...content)
}

export function listbox(...groups: Content): HTMLElement {
  return element('div', { id: 'suggestions', role: 'listbox', 'aria-label': 'Suggestions' }, ...groups)
}

function group(title: string, options: HTMLElement[]): HTMLElement[] {
  if (options.length === 0) return []
  const heading = element('span', { 'aria-hidden': 'true', class: 'suggestions-title' }, title)
  return [element('div', { role: 'group', 'aria-label': title }, heading, ...options)]
}

/** The listbox for a response. The typed words are marked in the names. */
export function suggestionList({ products, categories, sellers }: SentSuggestions, typed: string): HTMLElement {
  const row = (href: string, name: string, image: string, ...more: Content) =>
    option('a', { href }, thumbnail(image), element('bdi', {}, ...marked(name, typed)), ...more)
  const list = listbox(
    ...group(
      'Products',
      products.map(({ slug, name, image, ...prices }) => row(productAddress(slug), name, image, priceOf(prices))),
    ),
    ...group(
      'Categories',
      categories.map(({ name, image }) => row(categoryAddress(name), name, image)),
    ),
    ...group(
      'Shops',
      sellers.map(({ shopName, image, ...shop }) => row(shopAddress(shop), shopName, image)),
    ),
  )
  return element('div', {}, list)
}

/** A listbox of recent searches and, beside it, a button to remove each one: listboxes must not contain buttons. */
export function recentList(searches: string[]): HTMLElement {
  const rows = searches.map(search =>
    option('a', { href: searchAddress(search), 'data-search': search }, element('bdi', {}, search)),
  )
  const clear = option('div', { 'data-clear': '' }, 'Clear recent searches')
  const removers = searches.map(search =>
    element(
      'button',
      { type: 'button', tabindex: '-1', 'data-remove': search, 'aria-label': `Remove ${search}` },
      element('span', { 'aria-hidden': 'true' }, '×'),
    ),
  )
  return element(
    'div',
    {},
    listbox(...group('Recent searches', rows), clear),
    element(
      'div',
      { role: 'group', 'aria-label': 'Remove recent searches', class: 'suggestions-removers' },
      ...removers,
    ),
  )
}

function marked(text: string, typed: string): Content {
  return markWords(text, typed).map(part => (part.isMarked ? element('mark', {}, part.text) : part.text))
}

function thumbnail(image: string): HTMLElement {
  const source = image ? pictureAt(image, 160) : '/no-picture.svg'
  return element('img', { src: source, alt: '', width: '48', height: '48', decoding: 'async' })
}

/** The price of a suggested product. On the wire, prices are in dollars. */
function priceOf({ price, highestPrice }: { price: number; highestPrice: number }): HTMLElement {
  const cents = Math.round(price * 100)
  const shown = element('span', { 'data-usd': String(cents) }, formatPrice(cents, shownCurrency()))
  return element('span', { class: 'suggestions-price' }, highestPrice > price ? 'from ' : '', shown)
}
