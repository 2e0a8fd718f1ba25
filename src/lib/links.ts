import { shopSlug } from '#contract/rules.ts'

/** A link that somebody else wrote, if it leads to a page of ours or of the web; nothing that runs (`javascript:`). */
export function safeLink(link: string | undefined): string | undefined {
  if (!link) return undefined
  const url = URL.parse(link, 'https://self.invalid')
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  return url.host === 'self.invalid' ? url.pathname + url.search + url.hash : url.href
}

/** The page of a product's shop. */
export function shopPath({ shopName, sellerId }: { shopName: string; sellerId: string }): string {
  return `/stores/${encodeURIComponent(shopSlug(shopName))}/${encodeURIComponent(sellerId)}`
}

/** The page of a product. */
export function productPath({ slug }: { slug: string }): string {
  return `/product/details/${encodeURIComponent(slug)}`
}
