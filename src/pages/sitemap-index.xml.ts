import type { APIRoute } from 'astro'
import { loadSitemapFiles, sitemapIndexXml } from '#lib/catalogue/sitemap.ts'

export const GET: APIRoute = async ({ locals }) => {
  const files = await loadSitemapFiles(locals.api)
  return new Response(sitemapIndexXml(files.length, locals.settings.publicUrl), {
    headers: { 'content-type': 'application/xml; charset=utf-8' },
  })
}
