/** Runs the tasks one after the other even when some fail, then throws an `AggregateError` of the failures. */
export async function runAll(tasks: (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const task of tasks) await task().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${tasks.length} tasks failed`)
}

/** Runs `work` for each item like `runAll`; returns for how many it resolved to true. */
export async function countDone<Item>(items: readonly Item[], work: (item: Item) => Promise<boolean>): Promise<number> {
  let count = 0
  await runAll(
    items.map(item => async () => {
      if (await work(item)) count += 1
    }),
  )
  return count
}
