import type { Logger } from 'pino'
import type { Db } from '../db/types.ts'
import type { Jobs } from '../platform/jobs.ts'
import type { PaymentProvider } from './providers/payment-provider.ts'

/** Calls of the provider that a job makes at the same time. */
export const CALLS_AT_ONCE = 4

/** Dependencies of all payment functions. `provider` is null in a shop that takes no payments. */
export interface PaymentContext {
  db: Db
  jobs: Jobs
  provider: PaymentProvider | null
  log: Pick<Logger, 'warn'>
}
