import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import type { OriginOptions } from './csrf.ts'
import type { Env } from './env.ts'

const PREFLIGHT_SECONDS = 600

/** Lets pages of the configured origins call the API. Their responses hold absolute picture URLs. */
export function allowOrigins({ publicUrl, corsOrigins }: OriginOptions): MiddlewareHandler<Env> {
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
