import { createApp } from 'astro/app/entrypoint'

interface Page {
  status: number
  headers: [name: string, value: string][]
  body: Uint8Array
}

// Without streaming: pages are cached whole, and an error halfway must not send half a page.
const app = createApp({ streaming: false })

/** Renders the page at a URL, or the 404 or 500 page. */
export async function render(address: string, locals: App.Locals): Promise<Page> {
  const request = new Request(address)
  const response = await app.render(request, {
    locals,
    routeData: app.match(request),
    addCookieHeader: true,
  })
  const body = new Uint8Array(await response.arrayBuffer())
  return { status: response.status, headers: [...response.headers], body }
}
