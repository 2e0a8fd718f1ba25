import type { PriceSummary } from '#contract/orders.ts'

/** A refusal that the caller may read: `status` is the answer's, `fields` are paths of the input with what is wrong there. */
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

/** Whether a refusal is about the bearer that was presented, rather than that there is none. */
export function isBadBearer(error: unknown): boolean {
  return error instanceof Refusal && (error.code === 'INVALID_TOKEN' || error.code === 'TOKEN_EXPIRED')
}

/** What is said of an address or a thing that does not exist for whoever asks. */
export const NOTHING_HERE = 'There is nothing at this address'

/** Somebody asks for what is another customer's; the answer is the one for what does not exist. */
export class NotYoursError extends Refusal {
  constructor() {
    super(404, NOTHING_HERE)
  }
}

/** The same request may succeed after some time. */
export class TooOftenError extends Refusal {
  readonly retryAfterSeconds: number

  constructor(message: string, retryAfterSeconds: number) {
    super(429, message)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The sum that the customer saw is no longer the sum; `summary` is what it is now. */
export class PriceChangedError extends Refusal {
  readonly summary: PriceSummary

  constructor(summary: PriceSummary) {
    super(422, 'The price has changed', 'PRICE_CHANGED')
    this.summary = summary
  }
}
