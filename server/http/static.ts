import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, relative, sep } from 'node:path'
import { lookup } from 'mrmime'
import { matchesEtag } from './etags.ts'
import { sendBody } from './send-body.ts'
import { chooseEncoding, type Encoding } from './encoding.ts'
import type { RawHeaders } from './headers.ts'

interface Options {
  /** The folder of the built storefront, with `client/` in it. */
  folder: string
  headers: RawHeaders
}

interface Variant {
  body: Buffer
  etag: string
  /** Headers that a 304 carries too. */
  shared: string[]
  content: string[]
}

type BuiltFile = { [Name in Encoding]?: Variant }
type Serve = (req: IncomingMessage, res: ServerResponse, otherwise: () => void) => void

const NAMED_BY_CONTENT = /^\/(_astro|content)\//
const FOR_GOOD = 'public, max-age=31536000, immutable'
const AN_HOUR = 'public, max-age=3600'

/**
 * Serves the files of the build (2 MB) from memory, compressed if the build compressed them. A running shop thus keeps
 * its files while a new build is made, and needs no file descriptors for them.
 */
export function createStatic({ folder, headers }: Options): Serve {
  const files = readFiles(join(folder, 'client'), headers.flat())
  return (req, res, otherwise) => {
    const file = files.get((req.url ?? '/').replace(/\?.*/s, ''))
    const variant = file?.[chooseEncoding(req.headers['accept-encoding'])] ?? file?.identity
    if (!variant || (req.method !== 'GET' && req.method !== 'HEAD')) return otherwise()
    const { body, etag, shared, content } = variant
    if (matchesEtag(req.headers['if-none-match'], etag)) {
      res.writeHead(304, shared)
      res.end()
      return
    }
    res.writeHead(200, [...shared, ...content])
    if (req.method === 'HEAD') res.end()
    else sendBody(res, body)
  }
}

function readFiles(root: string, headers: string[]): Map<string, BuiltFile> {
  const files = new Map<string, BuiltFile>()
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const { address, encoding } = placeOf(`/${relative(root, path).replaceAll(sep, '/')}`)
    const file = files.get(address) ?? {}
    file[encoding] = describe(address, encoding, readFileSync(path), headers)
    files.set(address, file)
  }
  return files
}

/** The build writes `shop.js.br` and `shop.js.gz` beside `shop.js`. */
function placeOf(path: string): { address: string; encoding: Encoding } {
  const end = extname(path)
  const encoding = end === '.br' ? 'br' : end === '.gz' ? 'gzip' : 'identity'
  return { address: encoding === 'identity' ? path : path.slice(0, -end.length), encoding }
}

function describe(address: string, encoding: Encoding, body: Buffer, headers: string[]): Variant {
  const etag = `W/"${hash('sha1', body, 'base64url')}"`
  const cached = NAMED_BY_CONTENT.test(address) ? FOR_GOOD : AN_HOUR
  const shared = [...headers, 'vary', 'Accept-Encoding', 'cache-control', cached, 'etag', etag]
  const content = ['content-type', typeOf(address), 'content-length', String(body.length)]
  if (encoding !== 'identity') content.push('content-encoding', encoding)
  return { body, etag, shared, content }
}

function typeOf(address: string): string {
  return lookup(address) ?? (address.endsWith('.ico') ? 'image/x-icon' : 'application/octet-stream')
}
