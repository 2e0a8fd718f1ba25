import { getBanners, getCategories, getPriceRange } from '#contract/catalogue.ts'

type Fetch = (request: Request) => Response | Promise<Response>

/** Requests that most pages make, always with the same URL. They take four times as long as a listing's other data. */
const SHARED = new Set([getCategories, getBanners, getPriceRange].map(({ path }) => `/api${path}`))

/** Wraps `fetch`, which calls the provider in this process; caches the responses to `SHARED` requests until `purge`. */
export function cacheResponses(fetch: Fetch): { fetch: Fetch; purge(): void } {
  const cached = new Map<string, Promise<Response>>()

  async function fetchAndCache(path: string, request: Request): Promise<Response> {
    const responding = Promise.resolve(fetch(request))
    cached.set(path, responding)
    const forget = () => cached.get(path) === responding && cached.delete(path)
    responding.then(response => response.ok || forget(), forget)
    return responding
  }

  return {
    fetch(request) {
      const path = request.url.slice(request.url.indexOf('/', 'https://'.length))
      return SHARED.has(path) ? (cached.get(path) ?? fetchAndCache(path, request)) : fetch(request)
    },
    /** Clears running requests too: their data may be from before the change. */
    purge: () => cached.clear(),
  }
}
