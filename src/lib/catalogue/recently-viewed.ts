import { RECENTLY_VIEWED } from '../accounts/storage.ts'
import { storeHistory, readHistory } from './browsing-history.ts'

/** A product whose page was opened in this browser. The price is left out, because it may have changed since. */
export interface ViewedProduct {
  id: string
  slug: string
  name: string
  /** The address of its picture; empty without one. */
  image: string
}

const MAX_VIEWED = 12

/** The last viewed products, newest first, without the one whose page is open. */
export function viewedProducts(openId?: string): ViewedProduct[] {
  return readHistory(RECENTLY_VIEWED, isViewed)
    .filter(({ id }) => id !== openId)
    .slice(0, MAX_VIEWED)
}

/** Puts a product first. */
export function addViewed(product: ViewedProduct): void {
  storeHistory(RECENTLY_VIEWED, [product, ...viewedProducts(product.id)])
}

/** Removes a product that is no longer sold. */
export function removeViewed(goneSlug: string): void {
  const viewed = viewedProducts()
  const left = viewed.filter(({ slug }) => slug !== goneSlug)
  if (left.length < viewed.length) storeHistory(RECENTLY_VIEWED, left)
}

export function clearViewed(): void {
  storeHistory(RECENTLY_VIEWED, [])
}

function isViewed(entry: unknown): entry is ViewedProduct {
  const { id, slug, name, image } = (entry ?? {}) as Record<string, unknown>
  return [id, slug, name, image].every(text => typeof text === 'string')
}
