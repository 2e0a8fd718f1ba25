import { SITEMAP_PAGE_SIZE } from '#contract/rules.ts'

export interface SitemapUrl {
  path: string
  /** ISO 8601. */
  updatedAt?: string | undefined
}

export type SitemapFile = { kind: 'pages' } | { kind: 'stores' | 'products'; page: number }

/** What each sitemap file contains, in order: the fixed pages and categories, then stores, then products. */
export function sitemapFiles(totals: { products: number; stores: number }): SitemapFile[] {
  const filesOf = (kind: 'stores' | 'products') =>
    Array.from({ length: Math.ceil(totals[kind] / SITEMAP_PAGE_SIZE) }, (_, at) => ({ kind, page: at + 1 }))
  return [{ kind: 'pages' }, ...filesOf('stores'), ...filesOf('products')]
}

/** A sitemap in the sitemaps.org format. */
export function sitemapXml(urls: SitemapUrl[], publicUrl: string): string {
  const entries = urls.map(({ path, updatedAt }) => {
    const changed = updatedAt ? `<lastmod>${updatedAt}</lastmod>` : ''
    return `<url><loc>${escapeXml(new URL(path, publicUrl).href)}</loc>${changed}</url>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</urlset>\n`
}

/** The sitemap index. Its files are numbered from 1. */
export function sitemapIndexXml(fileCount: number, publicUrl: string): string {
  const entries = Array.from(
    { length: fileCount },
    (_, at) => `<sitemap><loc>${escapeXml(new URL(`/sitemap-${at + 1}.xml`, publicUrl).href)}</loc></sitemap>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</sitemapindex>\n`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
