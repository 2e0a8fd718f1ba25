import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import sirv from 'sirv'
import { chooseEncoding } from './pages/encoding.ts'
import type { RawHeaders } from './pages/page.ts'

interface Options {
  /** The folder of the built storefront, with `client/` in it. */
  folder: string
  headers: RawHeaders
}

type Serve = (req: IncomingMessage, res: ServerResponse, otherwise: () => void) => void

/** Their names change with their contents. */
const FOR_GOOD = 'public, max-age=31536000, immutable'
const AN_HOUR = 'public, max-age=3600'

/** Serves the files of the build as they lie there, compressed where the build compressed them. */
export function createStatic({ folder, headers }: Options): Serve {
  const serve = sirv(join(folder, 'client'), {
    etag: true,
    brotli: true,
    gzip: true,
    setHeaders(res, pathname) {
      const file = pathname.replace(/\/$/, '') || '/'
      for (const [name, value] of headers) res.setHeader(name, value)
      // Sirv knows no type for it.
      if (file.endsWith('.ico')) res.setHeader('content-type', 'image/x-icon')
      res.setHeader('cache-control', file.startsWith('/_astro/') ? FOR_GOOD : AN_HOUR)
    },
  })
  return (req, res, otherwise) => {
    // A file that went since the start (a new build) costs its own answer, not the process.
    res.once('pipe', (file: Readable) => file.once('error', () => res.destroy()))
    // Whole files are small, and sirv throws at a range whose end comes before its start.
    delete req.headers.range
    // It takes any word of what is accepted for a yes.
    req.headers['accept-encoding'] = chooseEncoding(req.headers['accept-encoding'])
    if (req.method === 'GET' || req.method === 'HEAD') serve(req, res, otherwise)
    else otherwise()
  }
}
