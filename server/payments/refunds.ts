/** A refund as the provider knows it, ours or one that somebody gave by hand. */
export interface Given {
  amountCents: number
  state: 'refunded' | 'pending' | 'failed'
}

/** Gives back by `give` what is left of `amountCents` after the refunds that are `known`; nothing when that is all. */
export async function giveBackRest(
  amountCents: number,
  known: Given[],
  give: (restCents: number) => Promise<Given>,
): Promise<'refunded' | 'pending'> {
  const given = known.filter(({ state }) => state !== 'failed')
  const restCents = given.reduce((rest, refund) => rest - refund.amountCents, amountCents)
  const all = restCents > 0 ? [...given, await give(restCents)] : given
  return all.every(({ state }) => state === 'refunded') ? 'refunded' : 'pending'
}
