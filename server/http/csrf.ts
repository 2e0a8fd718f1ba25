import type { Context, MiddlewareHandler } from 'hono'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/index.ts'
import { ServiceError } from '../platform/errors.ts'
import type { Env } from './env.ts'

export interface OriginOptions {
  publicUrl: string
  corsOrigins: string[]
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])
const JSON_BODY = /^application\/json\s*(;|$)/i
const FORM_BODY = /^multipart\/form-data\s*;/i
/** The paths of the calls that accept files, below `/api`. */
export const FILE_PATHS = Object.values<Endpoint>(endpoints).flatMap(({ path, isMultipart }) =>
  isMultipart ? path : [],
)
const TAKES_FILES = new Set(FILE_PATHS.map(path => `/api${path}`))

/**
 * Rejects requests that a browser sends for a page of another site (403) and bodies that a plain form can send (415).
 * A client that sends neither Origin nor Sec-Fetch-Site is not a browser; only its token authenticates it.
 */
export function rejectForgery(options: OriginOptions): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (!READING.has(c.req.method)) {
      if (!isFromOurPages(name => c.req.header(name), options))
        throw new ServiceError('NOT_ALLOWED', 'This request came from a page of another site')
      if (!hasAcceptedType(c))
        throw new ServiceError('UNSUPPORTED_TYPE', 'The body must be JSON, with Content-Type: application/json')
    }
    await next()
  }
}

/** Whether the call at this path accepts files. */
export function takesFiles(path: string): boolean {
  return TAKES_FILES.has(path)
}

/** Returns false for requests made by pages of other sites; `header` returns a request header by name. */
export function isFromOurPages(
  header: (name: string) => string | undefined,
  { publicUrl, corsOrigins }: OriginOptions,
): boolean {
  const site = header('sec-fetch-site')
  if (site === 'same-origin' || site === 'none') return true
  const origin = header('origin')
  if (origin === undefined) return site === undefined
  if (origin === publicUrl || corsOrigins.includes(origin)) return true
  // Over plain http, as in a home network, browsers send no Sec-Fetch-Site and PUBLIC_URL may not be the shop's host.
  return site === undefined && URL.canParse(origin) && new URL(origin).host === header('host')
}

/** Rejects requests for images, frames, navigation and prefetches (403): only scripts of the shop may call this. */
export function rejectEmbedded(c: Context): void {
  const destination = c.req.header('sec-fetch-dest')
  if (destination !== undefined && destination !== 'empty')
    throw new ServiceError('NOT_ALLOWED', 'Only the shop itself may ask for this')
}

function hasAcceptedType(c: Context): boolean {
  const type = c.req.header('content-type')
  if (type === undefined) return c.req.header('content-length') === undefined || c.req.header('content-length') === '0'
  return JSON_BODY.test(type) || (takesFiles(c.req.path) && FORM_BODY.test(type))
}
