import { existsSync, realpathSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import type { Rendered } from './page.ts'
import type { Render } from './renders.ts'

const ENTRY = 'server/entry.mjs'

/** The `render` function of `src/entry.ts`. */
export type RenderPage = (address: string, locals: object) => Promise<Omit<Rendered, 'body'> & { body: Uint8Array }>

interface Options {
  publicUrl: string
  /** `Astro.locals` of each page. `instanceof` fails on objects in it: the build has its own copies of classes. */
  locals: object
}

/** The folder of the newest build: `dist` is a symlink, and later leads to another one. Throws if there is no build. */
export function findBuild(dist: string): string {
  if (!existsSync(join(dist, ENTRY))) throw new Error(`there is no build in ${dist}: npm run build`)
  return realpathSync(dist)
}

/** Loads the storefront from the folder of a build. */
export async function loadStorefront(folder: string): Promise<RenderPage> {
  const { render } = (await import(pathToFileURL(join(folder, ENTRY)).href)) as { render: RenderPage }
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
