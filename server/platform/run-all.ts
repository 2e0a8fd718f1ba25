import pLimit from 'p-limit'

/** Runs the tasks one after the other even when some fail, then throws an `AggregateError` of the failures. */
export function runAll(tasks: (() => Promise<unknown>)[]): Promise<void> {
  return runForEach(tasks, task => task())
}

/** Like `runAll`, with `work` for each item, `atOnce` at a time. */
export async function runForEach<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  atOnce = 1,
): Promise<void> {
  const limit = pLimit(atOnce)
  const results = await Promise.allSettled(items.map(item => limit(work, item)))
  const failures = results.flatMap(result => (result.status === 'rejected' ? [result.reason as unknown] : []))
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${items.length} tasks failed`)
}

/** Like `runForEach`, one item after the other; returns for how many `work` resolved to true. */
export async function countDone<Item>(items: readonly Item[], work: (item: Item) => Promise<boolean>): Promise<number> {
  let count = 0
  await runForEach(items, async item => {
    if (await work(item)) count += 1
  })
  return count
}
