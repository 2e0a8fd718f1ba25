import type { APIRoute } from 'astro'

const PRIVATE = ['/api/', '/cart', '/shipping', '/payment', '/order/', '/dashboard', '/*layout=', '/*next=']

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
