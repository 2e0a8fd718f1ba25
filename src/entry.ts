import { createApp } from 'astro/app/entrypoint'

// A page is stored as a whole, and an error in the middle of it must not leave half a page.
const app = createApp({ streaming: false })

/** Renders the page at an address; the 404 or 500 page where there is none or it fails. */
export async function render(address: string, locals: App.Locals): Promise<Response> {
  const request = new Request(address)
  return app.render(request, { locals, routeData: app.match(request), addCookieHeader: true })
}
