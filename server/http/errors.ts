import type { Context, ErrorHandler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Logger } from 'pino'
import { isBadInput, isTransient, reasonOf } from '../db/errors.ts'
import type { Db } from '../db/types.ts'
import { recordAudit } from '../platform/audit.ts'
import { AbandonedError } from '../platform/bounded-queue.ts'
import {
  type ErrorCode,
  MalformedError,
  NotYoursError,
  ServiceError,
  TooManyRequestsError,
  UnavailableError,
} from '../platform/errors.ts'
import type { Env } from './env.ts'
import { originOf } from './mount.ts'

const STATUS: Record<ErrorCode, ContentfulStatusCode> = {
  MALFORMED: 400,
  INVALID_SIGNATURE: 401,
  NOT_ALLOWED: 403,
  NOT_FOUND: 404,
  NO_TOKEN: 409,
  INVALID_TOKEN: 409,
  TOKEN_EXPIRED: 409,
  TOO_LARGE: 413,
  UNSUPPORTED_TYPE: 415,
  INVALID_INPUT: 422,
  CONFLICT: 422,
  EMAIL_NOT_CONFIRMED: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  PRICE_CHANGED: 422,
  CHOOSE_OPTIONS: 422,
  TOO_MANY_REQUESTS: 429,
  UNAVAILABLE: 503,
}
/** The codes that clients act on. */
const SENT = new Set<ErrorCode>([
  'NO_TOKEN',
  'INVALID_TOKEN',
  'TOKEN_EXPIRED',
  'EMAIL_NOT_CONFIRMED',
  'IDEMPOTENCY_KEY_REUSED',
  'PRICE_CHANGED',
  'CHOOSE_OPTIONS',
  'UNAVAILABLE',
])
/** nginx's status for a client that has disconnected, and so never sees it. */
export const CLIENT_CLOSED_REQUEST = 499

interface Options {
  db: Db
  limits: Env['Variables']['limits']
  log: Pick<Logger, 'error' | 'info'>
}

/** Responds to errors. Those that no client should see are logged and become a 500. */
export function respondToErrors({ db, limits, log }: Options): ErrorHandler<Env> {
  /** Records a request for another customer's data. */
  async function auditStranger(c: Context<Env>): Promise<void> {
    const actorId = c.get('customer')?.id
    if (!(await limits.allows('notYours', actorId ?? c.get('ip')))) return
    const details = { path: c.req.path }
    await recordAudit(db, { event: 'not_yours', outcome: 'refused', actorId, details, ...originOf(c) })
  }

  return async (error, c) => {
    if (error instanceof NotYoursError) await auditStranger(c)
    if (error instanceof AbandonedError)
      return c.json({ error: error.message }, CLIENT_CLOSED_REQUEST as ContentfulStatusCode)
    const known = asServiceError(error)
    if (!known) {
      log.error({ err: error, requestId: c.get('requestId'), path: c.req.path }, 'request failed')
      return c.json({ error: 'Something went wrong' }, 500)
    }
    if (known instanceof UnavailableError) {
      log.info({ requestId: c.get('requestId'), path: c.req.path, reason: reasonOf(error) }, 'unavailable for a moment')
      c.header('Retry-After', '1')
    }
    if (known instanceof TooManyRequestsError) c.header('Retry-After', String(known.retryAfterSeconds))
    const { status, code } = statusOf(known)
    return c.json({ error: known.message, code, fields: known.fields, ...known.data }, status)
  }
}

/** The status of an error, and its code if clients act on it. */
export function statusOf({ code }: ServiceError): { status: ContentfulStatusCode; code: ErrorCode | undefined } {
  return { status: STATUS[code], code: SENT.has(code) ? code : undefined }
}

/** The error that the client sees; null if it must not see any: a defect. */
export function asServiceError(error: unknown): ServiceError | null {
  if (error instanceof ServiceError) return error
  if (isBadInput(error)) return new MalformedError('The request holds a value that cannot be stored')
  if (isTransient(error)) return new UnavailableError('Try again in a moment')
  return null
}
