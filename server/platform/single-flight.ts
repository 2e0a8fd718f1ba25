export interface SingleFlight<Result> {
  /** The result of the work that is running for this key; if none is, starts `work`. Failures are shared, too. */
  share(key: string, work: () => Promise<Result>): Promise<Result>
  isRunning(key: string): boolean
  /** Resolves when all work that runs at the time of the call has ended. */
  settled(): Promise<unknown>
}

/** Runs the work of each key once at a time: simultaneous callers share it. */
export function singleFlight<Result>(): SingleFlight<Result> {
  const running = new Map<string, Promise<Result>>()

  return {
    share(key, work) {
      const known = running.get(key)
      if (known) return known
      const started = work().finally(() => running.delete(key))
      running.set(key, started)
      return started
    },
    isRunning: key => running.has(key),
    settled: () => Promise.allSettled(running.values()),
  }
}
