import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import type { Rendered } from './page.ts'
import type { Render } from './renders.ts'

/** The `render` function of `src/entry.ts`. */
type RenderPage = (address: string, locals: object) => Promise<Omit<Rendered, 'body'> & { body: Uint8Array }>

interface Options {
  publicUrl: string
  /** `Astro.locals` of each page. `instanceof` fails on objects in it: the build has its own copies of classes. */
  locals: object
}

/** Loads the built storefront from a folder that contains `client/` and `server/`. */
export async function loadStorefront(folder: string): Promise<RenderPage> {
  const { render } = (await import(pathToFileURL(join(folder, 'server/entry.mjs')).href)) as { render: RenderPage }
  return render
}

/** Returns a function that renders one URL, without a socket and without a visitor. */
export function renderingAt(renderPage: RenderPage, { publicUrl, locals }: Options): Render {
  // Use the configured origin: a visitor's Host header must not end up in pages that are stored for all.
  const { origin } = new URL(publicUrl)
  return async url => {
    const { body, ...page } = await renderPage(origin + url, { ...locals })
    return { ...page, body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) }
  }
}
