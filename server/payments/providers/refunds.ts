import { sumBy } from '../../platform/sum.ts'
import type { ChargeState, RefundRequest } from './provider.ts'

/**
 * A refund or dispute of a charge as the provider reports it: made by the shop, by an operator at the provider, or by
 * the customer's bank, which holds `disputed` money and may return it.
 */
export interface Given {
  amountCents: number
  state: 'refunded' | 'pending' | 'disputed' | 'failed'
}

/** Calls `give` to refund the amount that is missing up to `upToCents`; does not call it if nothing is missing. */
export async function refundUpTo(
  { refundedCents, upToCents }: RefundRequest,
  known: Given[],
  give: (missingCents: number) => Promise<Given>,
): Promise<'refunded' | 'pending'> {
  const given = known.filter(({ state }) => state !== 'failed')
  const missingCents = upToCents - Math.max(centsOf(given), refundedCents)
  const all = missingCents > 0 ? [...given, await give(missingCents)] : given
  return all.every(({ state }) => state === 'refunded') ? 'refunded' : 'pending'
}

/**
 * Idempotency key of a refund. Providers repeat their response for a known key, so the next refund, and a retry after a
 * failed one, need a new key.
 */
export function refundKey({ reference, upToCents }: RefundRequest, known: Given[]): string {
  const failedCount = known.filter(({ state }) => state === 'failed').length
  return `refund-${reference}-${upToCents}-${failedCount}`
}

/** State of a charge, given its known refunds and disputes. */
export function chargeStateOf(amountCents: number, refunds: Given[], disputes: Given[] = []): ChargeState {
  const known = [...refunds, ...disputes]
  const refunded = known.filter(({ state }) => state === 'refunded')
  const pending = known.filter(({ state }) => state === 'pending')
  const failed = refunds.filter(({ state }) => state === 'failed')
  const sums = { returnedCents: Math.min(centsOf(refunded), amountCents), failedCents: centsOf(failed) }
  if (centsOf(refunded) + centsOf(pending) >= amountCents) return { status: 'returned', ...sums }
  const isDisputed = disputes.some(({ state }) => state === 'disputed')
  return { status: isDisputed ? 'disputed' : 'kept', ...sums }
}

function centsOf(given: Given[]): number {
  return sumBy(given, ({ amountCents }) => amountCents)
}
