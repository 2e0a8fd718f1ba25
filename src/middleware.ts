import { defineMiddleware } from 'astro:middleware'
import type { Category } from '#contract/catalogue.ts'
import { type Api, ApiError } from '#lib/api.ts'
import { createApi } from '#lib/create-api.ts'
import { menuCategories } from '#lib/catalogue/menu-categories.ts'
import { failureText } from '#lib/failures.ts'

type Preview = Pick<App.Locals, 'policies' | 'introductions' | 'policyMistakes' | 'introductionMistakes'>

const developmentSettings = {
  publicUrl: 'http://localhost:4321',
  merchantUrl: 'https://merchant.piazza.example',
  supportEmail: 'support@piazza.example',
  paymentMethods: [],
  paymentSources: [],
}

export const onRequest = defineMiddleware(async (context, next) => {
  const { cache, locals, routePattern, url } = context
  locals.settings ??= developmentSettings
  if (import.meta.env.DEV) Object.assign(locals, await loadPreview(url))
  locals.api = createApi({ fetch: locals.provider ?? fetch, origin: providerOrigin(url) })
  const categories = isPage(routePattern) ? await readCategories(locals.api) : []
  locals.allCategories = categories ?? []
  locals.categories = menuCategories(locals.allCategories)
  try {
    const response = await next()
    // Without the header's categories the page may be shown once, but not cached.
    if (!categories) cache.set(false)
    return response
  } catch (error) {
    if (!isUnavailable(error)) throw error
    locals.failure = {
      text: failureText(routePattern),
      isProduct: routePattern.startsWith('/product/'),
      retry: url.pathname + url.search,
    }
    return context.rewrite('/503')
  }
})

/** Null if the provider is not available: the page is still readable without categories. */
async function readCategories(api: Api): Promise<Category[] | null> {
  try {
    return (await api.getCategories({})).categories
  } catch (error) {
    if (isUnavailable(error)) return null
    throw error
  }
}

/** In development: the editors' pages as they are being edited, with their errors (`scripts/preview-content.ts`). */
async function loadPreview({ origin }: URL): Promise<Preview> {
  const response = await fetch(`${origin}/@content`)
  return (await response.json()) as Preview
}

/** Also when a provider elsewhere limits this storefront's requests. */
function isUnavailable(error: unknown): boolean {
  return error instanceof ApiError && (error.status >= 500 || error.status === 429)
}

function providerOrigin(url: URL): string {
  return import.meta.env.DEV ? (process.env.PROVIDER_URL ?? 'http://127.0.0.1:4322') : url.origin
}

function isPage(pattern: string): boolean {
  return pattern !== '/503' && !/\.(txt|xml)$/.test(pattern)
}
