import { renderingAt, type RenderPage } from '#server/page-cache/storefront.ts'

const publicUrl = 'https://shop.example'

/** Returns a function that renders a URL of the built storefront with the answers of `provider`. */
export function renderingFrom(renderPage: RenderPage, provider: App.Locals['provider']) {
  const settings = {
    publicUrl,
    merchantUrl: publicUrl,
    supportEmail: 'help@shop.example',
    paymentMethods: [],
    paymentSources: [],
  }
  return renderingAt(renderPage, { publicUrl, locals: { provider, settings, policies: [], introductions: [] } })
}
