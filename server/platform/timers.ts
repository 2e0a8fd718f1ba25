export interface Repeated {
  /** Resolves when nothing is being done any more. */
  close(): Promise<void>
}

interface Options {
  everyMs: number
  /** When it is done first; after `everyMs` by default. */
  firstMs?: number
  /** Its failure keeps nothing from being done again. */
  work: () => Promise<unknown>
  onError: (error: unknown) => void
}

/** Does `work` again and again, and never twice at the same time. */
export function repeat({ everyMs, firstMs = everyMs, work, onError }: Options): Repeated {
  let running: Promise<unknown> = Promise.resolve()
  let isBusy = false
  function act(): void {
    if (isBusy) return
    isBusy = true
    running = work()
      .catch(onError)
      .finally(() => (isBusy = false))
  }

  let timer = setTimeout(() => {
    act()
    timer = setInterval(act, everyMs).unref()
  }, firstMs).unref()
  return {
    async close() {
      clearTimeout(timer)
      await running
    },
  }
}
