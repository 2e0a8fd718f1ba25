import { createApp } from 'astro/app/entrypoint'

interface Page {
  status: number
  headers: [name: string, value: string][]
  body: Uint8Array
}

// A page is stored as a whole, and an error in the middle of it must not leave half a page.
const app = createApp({ streaming: false })

/** Renders the page at an address; the 404 or 500 page where there is none or it fails. */
export async function render(address: string, locals: App.Locals): Promise<Page> {
  const request = new Request(address)
  const response: Response & { page?: Uint8Array } = await app.render(request, {
    locals,
    routeData: app.match(request),
    addCookieHeader: true,
  })
  // scripts/astro-speed.ts puts the bytes of most pages beside the response.
  const body = response.page ?? new Uint8Array(await response.arrayBuffer())
  return { status: response.status, headers: [...response.headers], body }
}
