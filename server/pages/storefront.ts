import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import type { Render } from './renders.ts'

type RenderPage = (address: string, locals: object) => Promise<Response>

interface Options {
  /** The folder of the built storefront, with `client/` and `server/` in it. */
  folder: string
  publicUrl: string
  /** `Astro.locals` for each page. Only `Request` and `Response` may cross: classes exist twice, here and in the build. */
  locals: object
}

/** Loads the built storefront: a function that renders one address, without a socket and without a visitor. */
export async function loadStorefront({ folder, publicUrl, locals }: Options): Promise<Render> {
  // React chooses by it, when it is loaded, between itself and a slow version that checks for mistakes.
  process.env.NODE_ENV ??= 'production'
  const { render } = (await import(pathToFileURL(join(folder, 'server/entry.mjs')).href)) as { render: RenderPage }
  // The Host that a visitor sends has no say in what is stored for all.
  const { origin } = new URL(publicUrl)
  return async url => {
    const response = await render(origin + url, { ...locals })
    const body = Buffer.from(await response.arrayBuffer())
    return { status: response.status, headers: [...response.headers], body }
  }
}
