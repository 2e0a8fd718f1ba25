import { sumBy } from '#server/platform/sum.ts'
import type { ChargeState, RefundRequest } from './payment-provider.ts'

/**
 * A refund or dispute of a charge as the provider reports it: made by the shop, by an operator at the provider, or by
 * the customer's bank, which holds `disputed` money and may return it.
 */
export interface Reversal {
  amountCents: number
  state: 'refunded' | 'pending' | 'disputed' | 'failed'
}

/**
 * Calls `refund` for the amount that is missing up to `upToCents`; does not call it if nothing is missing. Waits while a
 * bank holds disputed money, which it may keep or return. Waits if the list has a failed refund and a lower sum than
 * before the first request: an earlier refund may have come back since, and then the list does not show whether this one
 * was made.
 */
export async function refundUpTo(
  { refundedCents, upToCents }: RefundRequest,
  known: Reversal[],
  refund: (missingCents: number) => Promise<Reversal>,
): Promise<'refunded' | 'pending'> {
  if (known.some(({ state }) => state === 'disputed')) return 'pending'
  const reversals = known.filter(({ state }) => state !== 'failed')
  if (reversals.length < known.length && centsOf(reversals) < refundedCents) return 'pending'
  const missingCents = upToCents - Math.max(centsOf(reversals), refundedCents)
  const all = missingCents > 0 ? [...reversals, await refund(missingCents)] : reversals
  return all.every(({ state }) => state === 'refunded') ? 'refunded' : 'pending'
}

/**
 * Idempotency key of a refund. Providers repeat their response for a known key, so the next refund, and a retry after a
 * failed one, need a new key.
 */
export function refundKey({ reference, upToCents }: RefundRequest, known: Reversal[]): string {
  const failedCount = known.filter(({ state }) => state === 'failed').length
  return `refund-${reference}-${upToCents}-${failedCount}`
}

/** State of a charge, given its known refunds and disputes. */
export function chargeStateOf(amountCents: number, refunds: Reversal[], disputes: Reversal[] = []): ChargeState {
  const known = [...refunds, ...disputes]
  const refunded = known.filter(({ state }) => state === 'refunded')
  const pending = known.filter(({ state }) => state === 'pending')
  const failed = refunds.filter(({ state }) => state === 'failed')
  const lost = disputes.filter(({ state }) => state === 'refunded')
  const returnedCents = Math.min(centsOf(refunded), amountCents)
  const sums = { returnedCents, lostCents: Math.min(centsOf(lost), amountCents), failedCents: centsOf(failed) }
  if (centsOf(refunded) + centsOf(pending) >= amountCents) return { status: 'returned', ...sums }
  const isDisputed = disputes.some(({ state }) => state === 'disputed')
  return { status: isDisputed ? 'disputed' : 'kept', ...sums }
}

function centsOf(reversals: Reversal[]): number {
  return sumBy(reversals, ({ amountCents }) => amountCents)
}
