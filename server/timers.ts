export interface Repeated {
  /** Resolves when nothing is being done any more. */
  close(): Promise<void>
}

interface Options {
  everyMs: number
  /** Its failure keeps nothing from being done again. */
  work: () => Promise<unknown>
  onError: (error: unknown) => void
}

/** Does `work` again and again, first after `everyMs`, and never twice at the same time. */
export function repeat({ everyMs, work, onError }: Options): Repeated {
  let running: Promise<unknown> = Promise.resolve()
  let isBusy = false
  const timer = setInterval(() => {
    if (isBusy) return
    isBusy = true
    running = work()
      .catch(onError)
      .finally(() => (isBusy = false))
  }, everyMs)
  timer.unref()
  return {
    async close() {
      clearInterval(timer)
      await running
    },
  }
}
