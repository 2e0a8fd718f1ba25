import type { APIRoute } from 'astro'
import { productPath } from '#contract/page-urls.ts'
import { SITEMAP_PAGE_SIZE } from '#contract/rules.ts'
import { categoryHref } from '#lib/catalogue/shop-links.ts'
import { loadSitemapFiles, type SitemapFile, type SitemapUrl, sitemapXml } from '#lib/catalogue/sitemap.ts'

export const GET: APIRoute = async ({ params, locals }) => {
  const files = await loadSitemapFiles(locals.api)
  const file = /^[1-9]\d*$/.test(params.file ?? '') ? files[Number(params.file) - 1] : undefined
  if (!file) return new Response('There is no such sitemap', { status: 404 })
  return new Response(sitemapXml(await urlsOf(file, locals), locals.settings.publicUrl), {
    headers: { 'content-type': 'application/xml; charset=utf-8' },
  })
}

async function urlsOf(file: SitemapFile, { api, policies }: App.Locals): Promise<SitemapUrl[]> {
  if (file.kind === 'pages') {
    return [
      ...['/', '/categories', '/stores', '/products'].map(path => ({ path })),
      ...policies.map(({ id, updated }) => ({ path: `/${id}`, updatedAt: new Date(updated).toISOString() })),
    ]
  }
  const { kind, page } = file
  if (kind === 'categories') {
    const { categories } = await api.getCategories({})
    return pageOf(categories, page).map(({ name }) => ({ path: categoryHref(name) }))
  }
  const { entries } = await api.getSitemapPage({ kind, page })
  return entries.map(({ _id, slug, updatedAt }) => ({
    path: kind === 'stores' ? `/stores/${encodeURIComponent(slug)}/${_id}` : productPath({ slug }),
    updatedAt,
  }))
}

function pageOf<Entry>(entries: Entry[], page: number): Entry[] {
  return entries.slice((page - 1) * SITEMAP_PAGE_SIZE, page * SITEMAP_PAGE_SIZE)
}
