import type { AstroGlobal } from 'astro'
import { avifAt } from '../media.ts'
import type { Fetch } from '../api.ts'

const WIDTH = 960
const MAX_BYTES = 8192
const PATIENCE_MS = 500
const LATE_SECONDS = 5

interface Page {
  locals: Pick<App.Locals, 'provider'>
  cache: Pick<AstroGlobal['cache'], 'set'>
}

/**
 * The picture, 960 pixels wide, as a `data:` URL inside the page, which saves a phone one round trip. Undefined if it
 * has more than 8 kB, is not in our media folder or is not available within 500 ms; the page then links to it. If it
 * was not available in time, the page is stored for only a few seconds.
 */
export async function pictureInPage({ locals, cache }: Page, image: string) {
  const path = avifAt(image, WIDTH)
  if (!path || !locals.provider) return undefined
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(late.resolve, PATIENCE_MS, null)
  const made = readPicture(locals.provider, path).catch(() => null)
  const picture = await Promise.race([made, late.promise])
  clearTimeout(timer)
  if (picture === null) cache.set({ maxAge: LATE_SECONDS })
  return picture ?? undefined
}

/** Null for a server error (worth another try), undefined if there is no such picture or it has too many bytes. */
async function readPicture(fetch: Fetch, path: string): Promise<string | null | undefined> {
  const response = await fetch(new Request(`http://provider${path}`))
  if (!response.ok) return response.status >= 500 ? null : undefined
  const bytes = Buffer.from(await response.arrayBuffer())
  return bytes.length > MAX_BYTES ? undefined : `data:image/avif;base64,${bytes.toString('base64')}`
}
