import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import type { Rendered } from './page.ts'
import type { Render } from './renders.ts'

/** Of `src/entry.ts`. */
type RenderPage = (address: string, locals: object) => Promise<Omit<Rendered, 'body'> & { body: Uint8Array }>

interface Options {
  /** The folder of the built storefront, with `client/` and `server/` in it. */
  folder: string
  publicUrl: string
  /** `Astro.locals` for each page. Classes exist twice, here and in the build. */
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
    const { body, ...page } = await render(origin + url, { ...locals })
    return { ...page, body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) }
  }
}
