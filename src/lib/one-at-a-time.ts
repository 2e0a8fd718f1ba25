/**
 * Runs `work` once at a time. All calls during a run share one further run after it, because the current run may
 * already have read data that has changed since.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined
  let next: Promise<void> | undefined

  function run(): Promise<void> {
    next = undefined
    current = work().finally(() => (current = undefined))
    return current
  }
  return () => {
    if (!current) return run()
    next ??= current.then(run, run)
    return next
  }
}
