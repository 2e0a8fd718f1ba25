import { setImmediate } from 'node:timers/promises'

interface Watched<Result> {
  result: Result
  /** The longest time in which the thread did nothing else, in milliseconds of CPU time. */
  blockedMs: number
  /** How often the thread could do something else. */
  turns: number
}

/** Runs `work` and measures how long it blocks this thread. */
export async function watchThread<Result>(work: () => Promise<Result>): Promise<Watched<Result>> {
  let longest = 0
  let last = process.threadCpuUsage()
  let turns = 0
  let isOver = false
  const watch = (): void => {
    turns += 1
    const { user, system } = process.threadCpuUsage(last)
    longest = Math.max(longest, user + system)
    last = process.threadCpuUsage()
    if (!isOver) void setImmediate().then(watch)
  }
  watch()
  const result = await work()
  isOver = true
  watch()
  return { result, blockedMs: longest / 1000, turns }
}
