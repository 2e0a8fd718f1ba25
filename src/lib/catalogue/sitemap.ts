import { SITEMAP_PAGE_SIZE } from '#contract/rules.ts'
import { type Api, orNull } from '../api.ts'

export interface SitemapUrl {
  path: string
  /** ISO 8601. */
  updatedAt?: string | undefined
}

const KINDS = ['categories', 'stores', 'products'] as const
type Kind = (typeof KINDS)[number]

export type SitemapFile = { kind: 'pages' } | { kind: Kind; page: number }

/** The contents of each sitemap file, in order: first the fixed pages, then the files for each kind of page. */
export function sitemapFiles(totals: Record<Kind, number>): SitemapFile[] {
  const filesOf = (kind: Kind) =>
    Array.from({ length: Math.ceil(totals[kind] / SITEMAP_PAGE_SIZE) }, (_, at) => ({ kind, page: at + 1 }))
  return [{ kind: 'pages' }, ...KINDS.flatMap(filesOf)]
}

/** The files of a shop's sitemap. Providers that cannot list their products and stores have none for these. */
export async function loadSitemapFiles(api: Api): Promise<SitemapFile[]> {
  const [totals, { categories }] = await Promise.all([orNull(api.getSitemapTotals({})), api.getCategories({})])
  return sitemapFiles({ ...(totals ?? { products: 0, stores: 0 }), categories: categories.length })
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
