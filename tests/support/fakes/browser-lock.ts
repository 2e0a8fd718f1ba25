import type { Exclusively } from '#lib/accounts/authorised.ts'

/** Simulates the browser’s lock: one at a time, in order. */
export function browserLock(): Exclusively {
  let turn: Promise<unknown> = Promise.resolve()
  return work => {
    const mine = turn.then(work)
    turn = mine.catch(() => null)
    return mine
  }
}
