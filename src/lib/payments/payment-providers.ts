import type { PaymentAttempt } from '#contract/payments.ts'
import { type ModalEnd, openInlineModal } from './payment-modal.ts'

/** Opens the modal of the attempt's provider. Throws `ScriptUnavailableError`. */
export async function openModal(attempt: PaymentAttempt): Promise<ModalEnd> {
  if (attempt.provider !== 'stripe') return openInlineModal(attempt)
  const { openStripeModal } = await import('./stripe-modal.ts')
  return openStripeModal(attempt)
}
