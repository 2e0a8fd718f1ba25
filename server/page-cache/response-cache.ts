import { getBanners, getCategories, getPriceRange } from '#contract/catalog.ts'

type Ask = (request: Request) => Response | Promise<Response>

/** What most pages ask, and each with the same words. */
const SHARED = new Set([getCategories, getBanners, getPriceRange].map(({ path }) => `/api${path}`))

/** Asks the provider in this process (`OpenProvider.ask`); what most pages ask is asked once, and again after a change. */
export function cacheResponses(ask: Ask): { ask: Ask; purge(): void } {
  const kept = new Map<string, Promise<Response>>()

  async function keep(path: string, request: Request): Promise<Response> {
    const asked = Promise.resolve(ask(request))
    kept.set(path, asked)
    const forget = () => kept.get(path) === asked && kept.delete(path)
    asked.then(response => response.ok || forget(), forget)
    return asked
  }

  return {
    ask(request) {
      const path = request.url.slice(request.url.indexOf('/', 'https://'.length))
      return SHARED.has(path) ? (kept.get(path) ?? keep(path, request)) : ask(request)
    },
    /** A promise goes too: what was asked before a change must not be told after it. */
    purge: () => kept.clear(),
  }
}
