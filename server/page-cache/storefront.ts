import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import type { Rendered } from './page.ts'
import type { Render } from './renders.ts'

/** Of `src/entry.ts`. */
type RenderPage = (address: string, locals: object) => Promise<Omit<Rendered, 'body'> & { body: Uint8Array }>

interface Options {
  publicUrl: string
  /** `Astro.locals` for each page. Classes exist twice, here and in the build. */
  locals: object
}

/** Loads the built storefront from a folder with `client/` and `server/` in it. */
export async function loadStorefront(folder: string): Promise<RenderPage> {
  const { render } = (await import(pathToFileURL(join(folder, 'server/entry.mjs')).href)) as { render: RenderPage }
  return render
}

/** A function that renders one address, without a socket and without a visitor. */
export function renderingAt(renderPage: RenderPage, { publicUrl, locals }: Options): Render {
  // The Host that a visitor sends has no say in what is stored for all.
  const { origin } = new URL(publicUrl)
  return async url => {
    const { body, ...page } = await renderPage(origin + url, { ...locals })
    return { ...page, body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) }
  }
}
