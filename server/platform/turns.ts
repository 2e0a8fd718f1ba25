/** Runs the work of each key one after the other, in order, even after a failure. Keys do not wait for each other. */
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

    /** The number of keys with unfinished work. */
    count: () => last.size,
  }
}
