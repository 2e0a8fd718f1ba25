import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliDecompress, constants, createBrotliCompress, gzip } from 'node:zlib'
import pLimit from 'p-limit'
import type { Encoding } from '../http/encoding.ts'

/** What a page's rendering gave. */
export interface Rendered {
  status: number
  headers: RawHeaders
  body: Buffer
}

/** A rendered page on its way to visitors and to the store. */
export interface Page {
  status: number
  headers: RawHeaders
  etag: string | undefined
  /** What it shows; empty for a page that is not to be stored. */
  tags: string[]
  /** After so many seconds it is shown once more while it is rendered again; without it, until its tags are purged. */
  maxAgeSeconds: number | undefined
  renderedAt: number
  isEmpty: boolean
  /** What it shows has changed since: it is only shown while rendering it fails. */
  isPurged: boolean
  /** How often it was asked for once it was stored. */
  hits: number
  bodies: { [Name in Encoding]?: Buffer | Promise<Buffer> }
  /** The plain body of a stored page, which keeps none: shared while it is made and while any response still needs it. */
  plain?: WeakRef<Buffer> | Promise<Buffer>
  /** A stored page's whole answer, put together once. */
  ready: { [Name in Encoding]?: { head: string[]; body: Buffer } }
}

const decompressBrotli = promisify(brotliDecompress)
const compressGzip = promisify(gzip)
export const HTML = 'text/html; charset=utf-8'
/** A quarter of the work for a fifth more bytes: most pages of a large shop are not asked for again before they change. */
const QUICK = 1
/**
 * How well it is worth to pack a page that was asked for so often again: 2 ms of a processor for an eighth fewer bytes,
 * then 130 to 260 ms for another tenth.
 */
const QUALITY_AFTER = new Map([
  [1, 5],
  [50, constants.BROTLI_MAX_QUALITY],
])

/** The header by which `src/lib/page-cache.ts` hands over a page's tags; it never leaves the process. */
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
  const own = new Map(headers.filter(([name]) => OWN_HEADERS.has(name)))
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

/** Node's strings became UTF-8; browsers should not have to guess. */
function withCharset([name, value]: RawHeaders[number]): RawHeaders[number] {
  return [name, name === 'content-type' && value === 'text/html' ? HTML : value]
}

/** The page's body in one encoding; made once however many ask at the same time. */
export function bodyOf(page: Page, encoding: Encoding): Buffer | Promise<Buffer> {
  const { bodies } = page
  const made = bodies[encoding]
  if (made) return made
  if (encoding === 'identity') return plainOf(page)
  const making = make(page, encoding)
  bodies[encoding] = making
  making.then(
    body => (bodies[encoding] = body),
    () => delete bodies[encoding],
  )
  return making
}

/** What the page is told by; made of the fewest bytes that there are when it is first asked for. */
export function etagOf(page: Page): string {
  const { br, identity } = page.bodies
  const bytes = [br, identity].find(body => Buffer.isBuffer(body))
  return (page.etag ??= `W/"${hash('sha1', bytes ?? '', 'base64url')}"`)
}

/** Brings the page into the form in which it is stored: brotli, from which the other encodings can be made. */
export async function pack(page: Page): Promise<void> {
  await bodyOf(page, 'br')
  if (!page.isEmpty) delete page.bodies.identity
}

/** Requests need the processors more. */
const oneAtATime = pLimit(1)

/** Counts that a stored page was asked for; answers the quality of brotli that is worth its work from now on. */
import type { RawHeaders } from '../http/headers.ts'
export function countHit(page: Page): number | undefined {
  page.hits += 1
  return page.isEmpty ? undefined : QUALITY_AFTER.get(page.hits)
}

/** Makes a stored page smaller. */
export async function repack(page: Page, quality: number): Promise<void> {
  page.bodies.br = await oneAtATime(async () => brotli(await bodyOf(page, 'identity'), quality))
  delete page.ready.br
}

export function byteLength({ bodies }: Page): number {
  return Object.values(bodies).reduce((sum, body) => sum + (Buffer.isBuffer(body) ? body.length : 0), 0)
}

async function make(page: Page, encoding: 'br' | 'gzip'): Promise<Buffer> {
  const plain = await bodyOf(page, 'identity')
  return encoding === 'gzip' ? compressGzip(plain) : brotli(plain, QUICK)
}

/** Few ask for a plain body, and it is the largest: it is kept for as long as somebody uses it. */
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
 * On another thread, while the next page is rendered on this one. That thread is woken once: `brotliCompress` wakes it
 * for the text, for its end, and for each 16 kB of the result, which takes a tenth of a page's time.
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

/** The logarithm of a window that reaches over all of it: a page needs no 4 MB, which the collector would hear of. */
function windowFor(bytes: number): number {
  const { BROTLI_MIN_WINDOW_BITS, BROTLI_DEFAULT_WINDOW } = constants
  // RFC 7932: a window of n bits reaches over 2^n - 16 bytes.
  return Math.min(Math.max(Math.ceil(Math.log2(bytes + 16)), BROTLI_MIN_WINDOW_BITS), BROTLI_DEFAULT_WINDOW)
}
