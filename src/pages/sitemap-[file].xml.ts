import { getCollection } from 'astro:content'
import type { APIRoute } from 'astro'
import { productPath } from '#contract/paths.ts'
import { LISTING_PATH, listingHref } from '#lib/listing.ts'
import { sitemapFiles, type SitemapFile, type SitemapUrl, sitemapXml } from '#lib/sitemap.ts'

export const GET: APIRoute = async ({ params, locals }) => {
  const files = sitemapFiles(await locals.api.getSitemapTotals({}))
  const file = /^[1-9]\d*$/.test(params.file ?? '') ? files[Number(params.file) - 1] : undefined
  if (!file) return new Response('There is no such sitemap', { status: 404 })
  return new Response(sitemapXml(await urlsOf(file, locals.api), locals.settings.publicUrl), {
    headers: { 'content-type': 'application/xml; charset=utf-8' },
  })
}

async function urlsOf(file: SitemapFile, api: App.Locals['api']): Promise<SitemapUrl[]> {
  if (file.kind === 'pages') return pageUrls(api)
  const { entries } = await api.getSitemapPage(file)
  return entries.map(({ _id, slug, updatedAt }) => ({
    path: file.kind === 'stores' ? `/stores/${encodeURIComponent(slug)}/${_id}` : productPath({ slug }),
    updatedAt,
  }))
}

async function pageUrls(api: App.Locals['api']): Promise<SitemapUrl[]> {
  const [policies, { categories }] = await Promise.all([getCollection('policies'), api.getCategories({})])
  return [
    ...['/', '/stores', '/products'].map(path => ({ path })),
    ...categories.map(({ name }) => ({ path: listingHref(LISTING_PATH, { category: name, page: 1, layout: 'grid' }) })),
    ...policies.map(({ id, data }) => ({ path: `/${id}`, updatedAt: data.updated.toISOString() })),
  ]
}
