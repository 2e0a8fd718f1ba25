import type { Context, MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { sendFiles } from '#contract/chat.ts'
import type { Config } from '../config.ts'
import { Refusal } from './errors.ts'
import type { Env } from './env.ts'

export type WallOptions = Pick<Config, 'publicUrl' | 'corsOrigins'>

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])
const JSON_BODY = /^application\/json\s*(;|$)/i
const FORM_BODY = /^multipart\/form-data\s*;/i
/** The only call that takes files. */
export const TAKES_FILES = `/api${sendFiles.path}`
const PREFLIGHT_SECONDS = 600

/** Lets pages of the listed sites call the API, and no others. What these get has whole addresses of pictures. */
export function otherSites({ publicUrl, corsOrigins }: WallOptions): MiddlewareHandler<Env> {
  const allow = cors({
    origin: corsOrigins,
    credentials: true,
    allowMethods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key'],
    exposeHeaders: ['Retry-After'],
    maxAge: PREFLIGHT_SECONDS,
  })
  return (c, next) => {
    if (!corsOrigins.includes(c.req.header('origin') ?? '')) return next()
    c.set('mediaOrigin', publicUrl)
    return allow(c, next)
  }
}

/**
 * Refuses what the page of another site makes a browser send (403), and bodies that a plain form can send (415).
 * Whoever says neither Origin nor Sec-Fetch-Site is no browser, and has only the token to prove itself.
 */
export function browserWalls(options: WallOptions): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (!READING.has(c.req.method)) {
      if (!isFromOurPages(name => c.req.header(name), options))
        throw new Refusal(403, 'This request came from a page of another site')
      if (!isTyped(c)) throw new Refusal(415, 'The body must be JSON, with Content-Type: application/json')
    }
    await next()
  }
}

/** Whether no page of another site made a browser ask: `header` answers the request's headers by their names. */
export function isFromOurPages(
  header: (name: string) => string | undefined,
  { publicUrl, corsOrigins }: WallOptions,
): boolean {
  const site = header('sec-fetch-site')
  if (site === 'same-origin' || site === 'none') return true
  const origin = header('origin')
  if (origin === undefined) return site === undefined
  if (origin === publicUrl || corsOrigins.includes(origin)) return true
  // Browsers say no Sec-Fetch-Site to plain http, and the shop's address in a home network is not its PUBLIC_URL.
  return site === undefined && URL.canParse(origin) && new URL(origin).host === header('host')
}

/** Refuses (403) what a browser asks for to show it, follow it or fetch it ahead: only the shop's scripts may ask for this. */
export function refuseEmbedded(c: Context): void {
  const destination = c.req.header('sec-fetch-dest')
  if (destination !== undefined && destination !== 'empty')
    throw new Refusal(403, 'Only the shop itself may ask for this')
}

function isTyped(c: Context): boolean {
  const type = c.req.header('content-type')
  if (type === undefined) return c.req.header('content-length') === undefined || c.req.header('content-length') === '0'
  return JSON_BODY.test(type) || (c.req.path === TAKES_FILES && FORM_BODY.test(type))
}
