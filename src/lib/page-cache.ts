import type { CacheProviderFactory } from 'astro'

/**
 * Hands the tags and the age that a page sets by `Astro.cache.set` over to the process around Astro, which stores the
 * page and takes these headers away (server/page-cache). A page without tags is rendered for every request.
 */
const pageCache: CacheProviderFactory = () => ({
  name: 'pages',
  setHeaders({ tags = [], maxAge }) {
    const headers = new Headers()
    if (tags.length > 0) headers.set('x-page-tags', tags.map(encodeURIComponent).join(' '))
    if (maxAge !== undefined) headers.set('x-page-max-age', String(maxAge))
    return headers
  },
  invalidate: () => Promise.reject(new Error('Pages are purged by the process around Astro')),
})

// oxlint-disable-next-line import/no-default-export -- Astro takes the default export.
export default pageCache
