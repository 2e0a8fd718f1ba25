import type { APIRoute } from 'astro'

/** Private pages; a policy page's address may begin like one of these, such as /shipping-policy. */
const PAGES = ['/cart', '/shipping', '/payment', '/dashboard']
const PRIVATE = ['/api/', '/order/', '/dashboard/', '/*layout=', '/*next='].concat(
  PAGES.flatMap(path => [`${path}$`, `${path}?`]),
)

export const GET: APIRoute = ({ locals }) => {
  const lines = [
    'User-agent: *',
    ...PRIVATE.map(path => `Disallow: ${path}`),
    '',
    `Sitemap: ${locals.settings.publicUrl}/sitemap-index.xml`,
    '',
  ]
  return new Response(lines.join('\n'), { headers: { 'content-type': 'text/plain; charset=utf-8' } })
}
