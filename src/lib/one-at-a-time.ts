/**
 * Runs `work` one run at a time. A call during a run starts one more run after it, which all such calls share: what
 * changed after the first run had read it is read then.
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
