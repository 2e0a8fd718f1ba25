export interface Repeated {
  /** Stops repeating; resolves once running work has ended. */
  close(): Promise<void>
}

interface Options {
  everyMs: number
  /** Delay of the first run; `everyMs` by default. */
  firstMs?: number
  /** Repeated even after a failure. */
  work: () => Promise<unknown>
  onError: (error: unknown) => void
}

/** Runs `work` every `everyMs`; skips a run while the previous one is still going. */
export function repeat({ everyMs, firstMs = everyMs, work, onError }: Options): Repeated {
  let running: Promise<unknown> = Promise.resolve()
  let isBusy = false
  function runOnce(): void {
    if (isBusy) return
    isBusy = true
    running = work()
      .catch(onError)
      .finally(() => (isBusy = false))
  }

  let timer = setTimeout(() => {
    runOnce()
    timer = setInterval(runOnce, everyMs).unref()
  }, firstMs).unref()
  return {
    async close() {
      clearTimeout(timer)
      await running
    },
  }
}
