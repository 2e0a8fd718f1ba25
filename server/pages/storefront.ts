import type { IncomingMessage, ServerResponse } from 'node:http'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import inject from 'light-my-request'
import type { RawHeaders, Rendered } from './page.ts'
import type { Render } from './renders.ts'

type Next = () => Promise<void>
type Handler = (req: IncomingMessage, res: ServerResponse, next: Next | undefined, locals: object) => Promise<void>

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
  const { handler } = (await import(pathToFileURL(join(folder, 'server/entry.mjs')).href)) as { handler: Handler }
  // The Host that a visitor sends has no say in what is stored for all.
  const headers = { host: new URL(publicUrl).host }
  const dispatch: inject.DispatchFunc = (req, res) => {
    const toNotFound: Next = () => {
      req.url = '/404'
      return handler(req, res, undefined, { ...locals })
    }
    // Without a `next`, the adapter renders addresses that no route matches without any locals.
    void handler(req, res, toNotFound, { ...locals })
  }
  return async url => {
    const {
      statusCode,
      headers: given,
      rawPayload,
    } = await inject(dispatch, { method: 'GET', url, headers, validate: false })
    return { status: statusCode, headers: toRaw(given), body: rawPayload } satisfies Rendered
  }
}

function toRaw(headers: inject.Response['headers']): RawHeaders {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): RawHeaders[number] => [name.toLowerCase(), String(each)]),
  )
}
