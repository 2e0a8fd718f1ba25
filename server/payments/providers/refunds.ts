import type { ChargeStatus } from './provider.ts'

/**
 * A refund or dispute of a charge as the provider reports it: made by the shop, by an operator at the provider, or by
 * the customer's bank, which holds `disputed` money and may return it.
 */
export interface Given {
  amountCents: number
  state: 'refunded' | 'pending' | 'disputed' | 'failed'
}

/** Refunds, by `give`, what `known` leaves of `amountCents`; does not call it when nothing is left. */
export async function giveBackRest(
  amountCents: number,
  known: Given[],
  give: (restCents: number) => Promise<Given>,
): Promise<'refunded' | 'pending'> {
  const given = known.filter(({ state }) => state !== 'failed')
  const restCents = restOf(amountCents, given)
  const all = restCents > 0 ? [...given, await give(restCents)] : given
  return all.every(({ state }) => state === 'refunded') ? 'refunded' : 'pending'
}

/** Status of a charge, given its known refunds and disputes. */
export function chargeStatusOf(amountCents: number, known: Given[]): ChargeStatus {
  const gone = known.filter(({ state }) => state === 'refunded' || state === 'pending')
  if (restOf(amountCents, gone) <= 0) return 'returned'
  return known.some(({ state }) => state === 'disputed') ? 'disputed' : 'kept'
}

function restOf(amountCents: number, given: Given[]): number {
  return given.reduce((rest, each) => rest - each.amountCents, amountCents)
}
