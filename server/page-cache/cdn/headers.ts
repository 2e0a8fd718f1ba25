import type { RawHeaders } from '#server/http/headers.ts'
import type { Page } from '../page.ts'
import type { CdnConfig } from './config.ts'
import { keysOfPage } from './keys.ts'

/** Maximum age of a page at the CDN, in case a purge was lost. */
const MAX_AGE_SECONDS = 3600
const KEPT = `public, max-age=0, s-maxage=${MAX_AGE_SECONDS}`
/** No browser reads this header. The CDN may send an expired page for a minute while it fetches a new one. */
const KEPT_BY_CDN = `max-age=${MAX_AGE_SECONDS}, stale-while-revalidate=60`

/** Cache headers for a stored page that is up to date, by which the CDN keeps it until one of its keys is purged. */
export function cdnHeaders({ service }: CdnConfig, page: Page): RawHeaders | null {
  // Such a page is not purged when its data changes.
  if (page.maxAgeSeconds !== undefined) return null
  const keys = keysOfPage(page.tags)
  const headers: RawHeaders = [
    ['cache-control', KEPT],
    ['cache-tag', keys.join(',')],
    ['surrogate-key', keys.join(' ')],
  ]
  if (service !== 'cloudflare') headers.push(['surrogate-control', KEPT_BY_CDN])
  return headers
}
