import type { APIRoute } from 'astro'
import { productPath } from '#contract/page-urls.ts'
import { LISTING_PATH, listingHref } from '#lib/catalogue/listing.ts'
import { sitemapFiles, type SitemapFile, type SitemapUrl, sitemapXml } from '#lib/catalogue/sitemap.ts'

export const GET: APIRoute = async ({ params, locals }) => {
  const files = sitemapFiles(await locals.api.getSitemapTotals({}))
  const file = /^[1-9]\d*$/.test(params.file ?? '') ? files[Number(params.file) - 1] : undefined
  if (!file) return new Response('There is no such sitemap', { status: 404 })
  return new Response(sitemapXml(await urlsOf(file, locals), locals.settings.publicUrl), {
    headers: { 'content-type': 'application/xml; charset=utf-8' },
  })
}

async function urlsOf(file: SitemapFile, { api, policies }: App.Locals): Promise<SitemapUrl[]> {
  if (file.kind === 'pages') return pageUrls(api, policies)
  const { entries } = await api.getSitemapPage(file)
  return entries.map(({ _id, slug, updatedAt }) => ({
    path: file.kind === 'stores' ? `/stores/${encodeURIComponent(slug)}/${_id}` : productPath({ slug }),
    updatedAt,
  }))
}

async function pageUrls(api: App.Locals['api'], policies: App.Locals['policies']): Promise<SitemapUrl[]> {
  const { categories } = await api.getCategories({})
  return [
    ...['/', '/stores', '/products'].map(path => ({ path })),
    ...categories.map(({ name }) => ({ path: listingHref(LISTING_PATH, { category: name, page: 1, layout: 'grid' }) })),
    ...policies.map(({ id, updated }) => ({ path: `/${id}`, updatedAt: new Date(updated).toISOString() })),
  ]
}
