/**
 * Runs the work of each key in order, one piece at a time; the work of other keys does not wait for it. A piece that
 * fails keeps none of the others.
 */
export function openTurns() {
  const last = new Map<string, Promise<void>>()

  return {
    async inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
      const before = last.get(key) ?? Promise.resolve()
      const result = before.then(work)
      const ended = result.then(
        () => undefined,
        () => undefined,
      )
      last.set(key, ended)
      try {
        return await result
      } finally {
        if (last.get(key) === ended) last.delete(key)
      }
    },

    /** How many keys have work that is not done. */
    count: () => last.size,
  }
}
