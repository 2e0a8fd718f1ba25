import { getBanners, getCategories, getPriceRange } from '#contract/catalog.ts'

type Ask = (request: Request) => Response | Promise<Response>

/** Requests that most pages make, always with the same URL. What caching them saves is in bench/README.md, 'pages'. */
const SHARED = new Set([getCategories, getBanners, getPriceRange].map(({ path }) => `/api${path}`))

/** Wraps `ask`, which calls the provider in this process; caches the responses to `SHARED` requests until `purge`. */
export function cacheResponses(ask: Ask): { ask: Ask; purge(): void } {
  const cached = new Map<string, Promise<Response>>()

  async function askAndCache(path: string, request: Request): Promise<Response> {
    const asked = Promise.resolve(ask(request))
    cached.set(path, asked)
    const forget = () => cached.get(path) === asked && cached.delete(path)
    asked.then(response => response.ok || forget(), forget)
    return asked
  }

  return {
    ask(request) {
      const path = request.url.slice(request.url.indexOf('/', 'https://'.length))
      return SHARED.has(path) ? (cached.get(path) ?? askAndCache(path, request)) : ask(request)
    },
    /** Clears running requests too: their data may be from before the change. */
    purge: () => cached.clear(),
  }
}
