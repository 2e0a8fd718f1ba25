import { discountedCents } from '#contract/rules.ts'
import type { SellerDraft } from '../drafts.ts'
import type { StoredProduct } from '../store-drafts.ts'

export type Gap = 'stock' | 'price' | 'picture' | 'shipping'

/** The number of products that lack something, and the slugs of the first five. */
export interface Lacking {
  count: number
  slugs: string[]
}

const MAX_NAMED = 5

/** Counts the visible products of a file that lack stock, a price, a picture or shipping rates, in little memory. */
export function openGaps() {
  const stock = none()
  const price = none()
  const picture = none()
  /** Products without own shipping rates, by the key of their shop. */
  const byShop = new Map<string, Lacking>()
  const shopsWithRates = new Set<string>()
  let hidden = 0

  return {
    addShop(key: string, { shippingRates }: SellerDraft): void {
      if (Object.keys(shippingRates ?? {}).length > 0) shopsWithRates.add(key)
      else shopsWithRates.delete(key)
    },

    addProduct({ product, variants, shop }: StoredProduct): void {
      if (product.isHidden) {
        hidden += 1
        return
      }
      if (!variants.some(variant => variant.stock > 0 || variant.sellsWithoutStock)) addTo(stock, product.slug)
      if (variants.some(variant => discountedCents(variant) === 0)) addTo(price, product.slug)
      if (product.pictures.length === 0) addTo(picture, product.slug)
      if (Object.keys(product.shippingPrices).length > 0) return
      const own = byShop.get(shop.key) ?? none()
      byShop.set(shop.key, own)
      addTo(own, product.slug)
    },

    /** `findRates` returns which of these shops have default rates in the database. */
    async result(findRates: (shopKeys: string[]) => Promise<string[]>) {
      const known = new Set([...shopsWithRates, ...(await findRates([...byShop.keys()]))])
      const shipping = [...byShop].filter(([key]) => !known.has(key)).reduce((all, [, own]) => join(all, own), none())
      return { hidden, lacking: { stock, price, picture, shipping } satisfies Record<Gap, Lacking> }
    },
  }
}

function none(): Lacking {
  return { count: 0, slugs: [] }
}

function addTo(lacking: Lacking, slug: string): void {
  lacking.count += 1
  if (lacking.slugs.length < MAX_NAMED) lacking.slugs.push(slug)
}

function join(a: Lacking, b: Lacking): Lacking {
  return { count: a.count + b.count, slugs: [...a.slugs, ...b.slugs].slice(0, MAX_NAMED) }
}
