import type { APIRoute } from 'astro'
import { sitemapFiles, sitemapIndexXml } from '#lib/catalogue/sitemap.ts'

export const GET: APIRoute = async ({ locals }) => {
  const files = sitemapFiles(await locals.api.getSitemapTotals({}))
  return new Response(sitemapIndexXml(files.length, locals.settings.publicUrl), {
    headers: { 'content-type': 'application/xml; charset=utf-8' },
  })
}
