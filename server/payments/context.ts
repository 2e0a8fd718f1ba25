import type { Logger } from 'pino'
import type { Db } from '../db/types.ts'
import type { Jobs } from '../platform/jobs.ts'
import type { PaymentProvider } from './providers/payment-provider.ts'

/** Refunds that a job requests from the provider at the same time. */
export const CALLS_AT_ONCE = 4
/** Lookups that a job makes at the same time: two such jobs stay below the hundred a second that Stripe allows. */
export const LOOKUPS_AT_ONCE = 8

/** Dependencies of all payment functions. `provider` is null in a shop that takes no payments. */
export interface PaymentContext {
  db: Db
  jobs: Jobs
  provider: PaymentProvider | null
  log: Pick<Logger, 'warn'>
}
