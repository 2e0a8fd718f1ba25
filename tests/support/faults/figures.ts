import { appendFileSync } from 'node:fs'

/** The time recorded for a failed request: longer than any limit. */
export const FAILED_MS = 1e9

/** Prints a measured figure next to its aim; no test asserts it. `npm run test:faults` repeats all at its end. */
export function printFigure(name: string, value: string, aim: string): void {
  const line = `${name}: ${value} (aim ${aim})`
  console.log(line)
  const file = process.env.FIGURES_FILE
  if (file) appendFileSync(file, `${line}\n`)
}

/** Runs `work` and appends its duration in milliseconds to `times`. */
export async function addTime<Result>(times: number[], work: () => Result | Promise<Result>): Promise<Result> {
  const began = performance.now()
  const result = await work()
  times.push(performance.now() - began)
  return result
}

/** For example '95 % of 300 within 412 ms'. */
export function spreadOf(times: number[], percent: number): string {
  const sorted = times.toSorted((a, b) => a - b)
  const ms = sorted[Math.ceil((times.length * percent) / 100) - 1] ?? Number.NaN
  return `${percent} % of ${times.length} within ${ms.toFixed(0)} ms`
}
