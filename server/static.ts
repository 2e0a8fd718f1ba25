import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import sirv from 'sirv'
import type { RawHeaders } from './pages/page.ts'

interface Options {
  /** The folder of the built storefront, with `client/` in it. */
  folder: string
  headers: RawHeaders
}

type Serve = (req: IncomingMessage, res: ServerResponse, otherwise: () => void) => void
type BuiltHeaders = { pathname: string; headers: { key: string; value: string }[] }[]

/** Their names change with their contents. */
const FOR_GOOD = 'public, max-age=31536000, immutable'
const AN_HOUR = 'public, max-age=3600'
const ASK_EACH_TIME = 'public, max-age=0, must-revalidate'

/** Serves the files of the build as they lie there, compressed where the build compressed them. */
export function createStatic({ folder, headers }: Options): Serve {
  const policies = readPolicies(folder)
  const serve = sirv(join(folder, 'client'), {
    etag: true,
    brotli: true,
    gzip: true,
    setHeaders(res, pathname) {
      const file = pathname.replace(/\/$/, '') || '/'
      const policy = policies.get(file)
      for (const [name, value] of headers) res.setHeader(name, value)
      if (policy) res.setHeader('content-security-policy', policy)
      const isPage = policy !== undefined || !/\.\w+$/.test(file)
      res.setHeader('cache-control', isPage ? ASK_EACH_TIME : file.startsWith('/_astro/') ? FOR_GOOD : AN_HOUR)
    },
  })
  return (req, res, otherwise) => {
    if (req.method === 'GET' || req.method === 'HEAD') serve(req, res, otherwise)
    else otherwise()
  }
}

/** The policies of prerendered pages, which @astrojs/node writes beside the build (`staticHeaders`). */
function readPolicies(folder: string): Map<string, string> {
  const file = join(folder, '_headers.json')
  if (!existsSync(file)) return new Map()
  const built = JSON.parse(readFileSync(file, 'utf8')) as BuiltHeaders
  const entries = built.map(({ pathname, headers }): [string, string] => [
    pathname.replace(/\/$/, '') || '/',
    headers.find(({ key }) => key === 'Content-Security-Policy')?.value ?? '',
  ])
  return new Map(entries.filter(([, policy]) => policy !== ''))
}
