import type { PaymentContext } from './context.ts'
import { PaymentUnavailableError } from './providers/payment-provider.ts'

/** Runs `work` for an attempt. When the provider cannot be reached, logs that and returns false. */
export async function tolerateOutage(
  { log }: PaymentContext,
  attemptId: string,
  work: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (!(error instanceof PaymentUnavailableError)) throw error
    log.warn({ err: error, attemptId }, 'the payment provider cannot be reached')
    return false
  }
}
