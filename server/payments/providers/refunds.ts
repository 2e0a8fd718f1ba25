import type { ChargeStatus } from './provider.ts'

/**
 * What has gone back of a charge as the provider knows it: by us, by somebody's hand, or by the customer's bank, which
 * may give back what is `disputed`.
 */
export interface Given {
  amountCents: number
  state: 'refunded' | 'pending' | 'disputed' | 'failed'
}

/** Gives back by `give` what is left of `amountCents` after the refunds that are `known`; nothing when that is all. */
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

/** Where the money is of a charge of which that has gone back. */
export function standingOf(amountCents: number, known: Given[]): ChargeStatus {
  const gone = known.filter(({ state }) => state === 'refunded' || state === 'pending')
  if (restOf(amountCents, gone) <= 0) return 'returned'
  return known.some(({ state }) => state === 'disputed') ? 'disputed' : 'kept'
}

function restOf(amountCents: number, given: Given[]): number {
  return given.reduce((rest, each) => rest - each.amountCents, amountCents)
}
