/** The kinds of errors whose message the client may see. `http/errors.ts` gives each its status. */
export type ErrorCode =
  | 'MALFORMED'
  | 'INVALID_SIGNATURE'
  | 'NOT_ALLOWED'
  | 'NOT_FOUND'
  | 'NO_TOKEN'
  | 'INVALID_TOKEN'
  | 'TOKEN_EXPIRED'
  | 'TOO_LARGE'
  | 'UNSUPPORTED_TYPE'
  | 'INVALID_INPUT'
  | 'CONFLICT'
  | 'EMAIL_NOT_CONFIRMED'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'PRICE_CHANGED'
  | 'CHOOSE_OPTIONS'
  | 'TOO_MANY_REQUESTS'
  | 'UNAVAILABLE'

/** Why a request fails, in words for the client. Any other error is a bug or a failure of the database. */
export class ServiceError extends Error {
  readonly code: ErrorCode
  /** Error messages by the path of the input field. */
  readonly fields: Record<string, string> | undefined
  /** Additional fields of the response. */
  readonly data: object | undefined

  constructor(code: ErrorCode, message: string, fields?: Record<string, string>, data?: object) {
    super(message)
    this.name = new.target.name
    this.code = code
    this.fields = fields
    this.data = data
  }
}

export class MalformedError extends ServiceError {
  constructor(message: string, fields?: Record<string, string>) {
    super('MALFORMED', message, fields)
  }
}

/** Well-formed input that is not acceptable, such as a damaged picture or an expired link. */
export class InvalidInputError extends ServiceError {
  constructor(message: string, fields?: Record<string, string>) {
    super('INVALID_INPUT', message, fields)
  }
}

/** The current data does not allow the request: for example, the order is already paid. */
export class ConflictError extends ServiceError {
  constructor(message: string, fields?: Record<string, string>) {
    super('CONFLICT', message, fields)
  }
}

export class NotFoundError extends ServiceError {
  constructor(message: string) {
    super('NOT_FOUND', message)
  }
}

/** The message for a path or resource that does not exist for this client. */
export const NOTHING_HERE = 'There is nothing at this address'

/** The resource belongs to another customer; the client gets the same response as for one that does not exist. */
export class NotYoursError extends NotFoundError {
  constructor() {
    super(NOTHING_HERE)
  }
}

/** A rate limit is exceeded; the same request may succeed after `retryAfterSeconds`. */
export class TooManyRequestsError extends ServiceError {
  readonly retryAfterSeconds: number

  constructor(message: string, retryAfterSeconds: number) {
    super('TOO_MANY_REQUESTS', message)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The same request may succeed in a moment. */
export class UnavailableError extends ServiceError {
  constructor(message: string) {
    super('UNAVAILABLE', message)
  }
}

/** Whether an error means that the bearer is invalid or expired, as opposed to missing. */
export function isBadBearer(error: unknown): boolean {
  return error instanceof ServiceError && (error.code === 'INVALID_TOKEN' || error.code === 'TOKEN_EXPIRED')
}
