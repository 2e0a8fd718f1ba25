import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliDecompress, constants, createBrotliCompress, gzip } from 'node:zlib'
import pLimit from 'p-limit'
import type { Encoding } from '../http/encoding.ts'
import type { RawHeaders } from '../http/headers.ts'
import { sumBy } from '../platform/sum.ts'

/** The result of rendering a page. */
export interface Rendered {
  status: number
  headers: RawHeaders
  body: Buffer
}

/** A rendered page, as it is sent and stored. */
export interface Page {
  status: number
  headers: RawHeaders
  etag: string | undefined
  /** Tags of the data that the page shows; empty for a page that must not be stored. */
  tags: string[]
  /**
   * After this time the page is sent once more, as stale, while it is rendered again. If undefined, it is valid until
   * one of its tags is purged.
   */
  maxAgeSeconds: number | undefined
  renderedAt: number
  isEmpty: boolean
  /** The data has changed: send this page only if rendering it again fails. */
  isPurged: boolean
  /** How often it was requested since it was stored. */
  hits: number
  bodies: { [Name in Encoding]?: Buffer | Promise<Buffer> }
  /**
   * The uncompressed body, for a stored page without one: shared while it is decompressed and while a response uses it.
   */
  plain?: WeakRef<Buffer> | Promise<Buffer>
  /** Complete responses of a stored page, assembled once per encoding. */
  ready: { [Name in Encoding]?: ReadyPage }
}

/** A complete response: alternating names and values of headers, and a body in one encoding. */
export interface ReadyPage {
  head: string[]
  body: Buffer
}

const decompressBrotli = promisify(brotliDecompress)
const compressGzip = promisify(gzip)
export const HTML = 'text/html; charset=utf-8'
/**
 * Brotli quality of new pages: a quarter of the work for a fifth more bytes. Most pages of a large shop change before
 * they are requested again.
 */
const QUICK = 1
/**
 * Brotli quality by number of hits: 2 ms of processor time for an eighth fewer bytes, later 130 to 260 ms for another
 * tenth.
 */
const QUALITY_AFTER = new Map([
  [1, 5],
  [50, constants.BROTLI_MAX_QUALITY],
])

/** The header in which `src/lib/page-cache.ts` passes a page's tags; it never leaves the process. */
const TAGS_HEADER = 'x-page-tags'
const MAX_AGE_HEADER = 'x-page-max-age'
const OWN_HEADERS = new Set([
  TAGS_HEADER,
  MAX_AGE_HEADER,
  'content-length',
  'transfer-encoding',
  'connection',
  'date',
  'etag',
])

export function toPage({ status, headers, body }: Rendered): Page {
  const own = new Map(headers)
  const tags = (own.get(TAGS_HEADER) ?? '').split(' ').filter(Boolean)
  const maxAge = own.get(MAX_AGE_HEADER)
  return {
    status,
    headers: headers.filter(([name]) => !OWN_HEADERS.has(name)).map(withCharset),
    etag: undefined,
    tags: tags.map(tag => decodeURIComponent(tag)),
    maxAgeSeconds: maxAge === undefined ? undefined : Number(maxAge),
    renderedAt: Date.now(),
    isEmpty: body.length === 0,
    isPurged: false,
    hits: 0,
    bodies: { identity: body },
    ready: {},
  }
}

/** Declares UTF-8, to which the body was converted. */
function withCharset([name, value]: RawHeaders[number]): RawHeaders[number] {
  return [name, name === 'content-type' && value === 'text/html' ? HTML : value]
}

/** The page's body in one encoding. Simultaneous requests share one compression. */
export function bodyOf(page: Page, encoding: Encoding): Buffer | Promise<Buffer> {
  const { bodies } = page
  const made = bodies[encoding]
  if (made) return made
  if (encoding === 'identity') return plainOf(page)
  const making = compressBody(page, encoding)
  bodies[encoding] = making
  making.then(
    body => (bodies[encoding] = body),
    () => delete bodies[encoding],
  )
  return making
}

/** The page's ETag: a hash of its brotli body if there is one when it is first needed, else of its uncompressed one. */
export function etagOf(page: Page): string {
  const { br, identity } = page.bodies
  const bytes = [br, identity].find(body => Buffer.isBuffer(body))
  return (page.etag ??= `W/"${hash('sha1', bytes ?? '', 'base64url')}"`)
}

/** Compresses the page for the store and drops its uncompressed body; other encodings are made from brotli. */
export async function pack(page: Page): Promise<void> {
  await bodyOf(page, 'br')
  if (!page.isEmpty) delete page.bodies.identity
}

/** Recompresses one page at a time: requests need the processors more. */
const oneAtATime = pLimit(1)

/** Counts a request of a stored page; returns the brotli quality that is worth its work after that many, if any. */
export function countHit(page: Page): number | undefined {
  page.hits += 1
  return page.isEmpty ? undefined : QUALITY_AFTER.get(page.hits)
}

/** Compresses a stored page again, with a higher quality. */
export async function repack(page: Page, quality: number): Promise<void> {
  page.bodies.br = await oneAtATime(async () => brotli(await bodyOf(page, 'identity'), quality))
  delete page.ready.br
}

export function byteLength({ bodies }: Page): number {
  return sumBy(Object.values(bodies), body => (Buffer.isBuffer(body) ? body.length : 0))
}

async function compressBody(page: Page, encoding: 'br' | 'gzip'): Promise<Buffer> {
  const plain = await bodyOf(page, 'identity')
  return encoding === 'gzip' ? compressGzip(plain) : brotli(plain, QUICK)
}

/** Uncompressed bodies are the largest and rarely requested, so they are kept only while a response uses them. */
function plainOf(page: Page): Buffer | Promise<Buffer> {
  if (page.plain instanceof Promise) return page.plain
  const shared = page.plain?.deref()
  if (shared) return shared
  const unpacking = unpack(page)
  page.plain = unpacking
  unpacking.then(
    body => (page.plain = new WeakRef(body)),
    () => delete page.plain,
  )
  return unpacking
}

async function unpack({ bodies }: Page): Promise<Buffer> {
  return decompressBrotli((await bodies.br) ?? Buffer.alloc(0))
}

/**
 * Compresses on another thread, while this one renders the next page. A single write wakes that thread once:
 * `brotliCompress` wakes it for the input, for its end and for each 16 kB of output, which takes a tenth of a page's
 * time.
 */
async function brotli(plain: Buffer, quality: number): Promise<Buffer> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_LGWIN]: windowFor(plain.length),
  }
  const chunkSize = Math.max(plain.length >> 1, constants.Z_MIN_CHUNK)
  const packing = createBrotliCompress({ params, chunkSize, flush: constants.BROTLI_OPERATION_FINISH })
  const packed: Buffer[] = []
  packing.on('data', part => packed.push(part))
  await new Promise<void>((resolve, reject) => {
    packing.on('error', reject).write(plain, error => (error ? reject(error) : resolve()))
  })
  packing.destroy()
  return Buffer.concat(packed)
}

/** Window bits that just cover the page: the default window of 4 MB would burden the garbage collector. */
function windowFor(bytes: number): number {
  const { BROTLI_MIN_WINDOW_BITS, BROTLI_DEFAULT_WINDOW } = constants
  // RFC 7932: a window of n bits covers 2^n - 16 bytes.
  return Math.min(Math.max(Math.ceil(Math.log2(bytes + 16)), BROTLI_MIN_WINDOW_BITS), BROTLI_DEFAULT_WINDOW)
}
