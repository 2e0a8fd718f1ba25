import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join, relative, sep } from 'node:path'
import { lookup } from 'mrmime'
import { matchesEtag } from './etags.ts'
import { sendBody } from './send-body.ts'
import { chooseEncoding, type Encoding } from './encoding.ts'
import type { RawHeaders } from './headers.ts'

interface Options {
  /** The folder of the built storefront, with `client/` in it. */
  folder: string
  headers: RawHeaders
  /** The folder of all builds, of which `folder` is one. */
  builds?: string
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
const HASHED_FILE = /^\/_astro\/\w[\w.-]*(?<!\.br|\.gz)$/
/** The file that marks a build as complete (scripts/builds.ts). */
const STAMP = '.built'
/** What the build appends to the names of compressed files. */
const ENDS: [Encoding, string][] = [
  ['br', '.br'],
  ['gzip', '.gz'],
  ['identity', ''],
]
const FOR_GOOD = 'public, max-age=31536000, immutable'
const AN_HOUR = 'public, max-age=3600'

/**
 * Serves the files of the build (2 MB) from memory, compressed if the build compressed them. A running shop thus keeps
 * its files while a new build is made, and needs no file descriptors for them. Files of other builds are read when they
 * are first requested: pages need older ones after an update, and newer ones while processes restart one by one.
 */
export function createStatic({ folder, headers, builds }: Options): Serve {
  const files = readFiles(join(folder, 'client'), headers.flat())
  function findInBuilds(address: string): BuiltFile | null {
    const file = builds && HASHED_FILE.test(address) ? findFile(builds, address, headers.flat()) : null
    if (file) files.set(address, file)
    return file
  }
  return (req, res, otherwise) => {
    const address = (req.url ?? '/').replace(/\?.*/s, '')
    const file = files.get(address) ?? findInBuilds(address)
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

/** Reads a file from whichever build has it. Lists the builds each time: they are few, and new ones appear. */
function findFile(builds: string, address: string, headers: string[]): BuiltFile | null {
  for (const build of orNull(() => readdirSync(builds)) ?? []) {
    const path = join(builds, build, 'client', address)
    // Before anything is read: unknown addresses must stay cheap.
    if (!existsSync(path) || !existsSync(join(builds, build, STAMP))) continue
    const file: BuiltFile = {}
    for (const [encoding, end] of ENDS) {
      const body = orNull(() => readFileSync(path + end))
      if (body) file[encoding] = describe(address, encoding, body, headers)
    }
    if (file.identity) return file
  }
  return null
}

/** What `read` returns; null if that is not there, such as a build that another process has just removed. */
function orNull<Result>(read: () => Result): Result | null {
  try {
    return read()
  } catch {
    return null
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
  const [encoding, end] = ENDS.find(([, each]) => path.endsWith(each))!
  return { address: path.slice(0, path.length - end.length), encoding }
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
