import type { PriceSummary } from '#contract/orders.ts'

/** An error that the client may see. `status` is the HTTP status; `fields` maps input paths to what is wrong there. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string | undefined
  readonly fields: Record<string, string> | undefined

  constructor(status: number, message: string, code?: string, fields?: Record<string, string>) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.code = code
    this.fields = fields
  }
}

/** Whether an error means that the bearer is invalid or expired, as opposed to missing. */
export function isBadBearer(error: unknown): boolean {
  return error instanceof Refusal && (error.code === 'INVALID_TOKEN' || error.code === 'TOKEN_EXPIRED')
}

/** The message for a path or resource that does not exist for this client. */
export const NOTHING_HERE = 'There is nothing at this address'

/** The resource belongs to another customer; the client gets the same 404 as for one that does not exist. */
export class NotYoursError extends Refusal {
  constructor() {
    super(404, NOTHING_HERE)
  }
}

/** A limit is used up; the same request may succeed after `retryAfterSeconds`. */
export class TooOftenError extends Refusal {
  readonly retryAfterSeconds: number

  constructor(message: string, retryAfterSeconds: number) {
    super(429, message)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The total differs from the one that the customer saw; `summary` holds the current amounts. */
export class PriceChangedError extends Refusal {
  readonly summary: PriceSummary

  constructor(summary: PriceSummary) {
    super(422, 'The price has changed', 'PRICE_CHANGED')
    this.summary = summary
  }
}
