import { defineMiddleware } from 'astro:middleware'
import { ApiError, createApi } from '#lib/api.ts'
import { failureText } from '#lib/failures.ts'

const developmentSettings = {
  publicUrl: 'http://localhost:4321',
  merchantUrl: 'https://merchant.piazza.example',
  supportEmail: 'support@piazza.example',
}

export const onRequest = defineMiddleware(async (context, next) => {
  const { locals } = context
  locals.settings ??= developmentSettings
  locals.api = createApi({ fetch: locals.provider ?? fetch, origin: providerOrigin(context.url) })
  locals.categories ??= []
  if (context.routePattern === '/503') return next()
  try {
    if (isPage(context.routePattern)) locals.categories = (await locals.api.getCategories({})).categories
    return await next()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status < 500) throw error
    locals.failure = failureText(context.routePattern)
    return context.rewrite('/503')
  }
})

function providerOrigin(url: URL): string {
  return import.meta.env.DEV ? (import.meta.env.PROVIDER_URL ?? 'http://127.0.0.1:4322') : url.origin
}

function isPage(pattern: string): boolean {
  return !/\.(txt|xml)$/.test(pattern)
}
