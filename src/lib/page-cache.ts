import type { CacheProviderFactory } from 'astro'

/**
 * Passes the tags and max age of `Astro.cache.set` as response headers to the surrounding process, which stores the
 * page and removes the headers (server/page-cache). A page without tags is rendered for every request.
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
