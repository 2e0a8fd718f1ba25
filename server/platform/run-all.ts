/** Runs the tasks one after the other even when some fail, then throws an `AggregateError` of the failures. */
export async function runAll(tasks: (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const task of tasks) await task().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures, 'some of the upkeep failed')
}
