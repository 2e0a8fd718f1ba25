import pLimit from 'p-limit'

const AT_ONCE = 4

/** Runs `work` for each item, `most` at a time; throws all failures together at the end. */
export async function atOnce<Each>(all: Each[], work: (each: Each) => Promise<unknown>, most = AT_ONCE): Promise<void> {
  const limit = pLimit(most)
  const done = await Promise.allSettled(all.map(each => limit(() => work(each))))
  const failures = done.flatMap(each => (each.status === 'rejected' ? [each.reason as unknown] : []))
  if (failures.length > 0)
    throw new AggregateError(failures, `looking after payments: ${failures.length} of ${all.length} failed`)
}
