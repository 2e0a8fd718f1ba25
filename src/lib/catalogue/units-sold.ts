import { grouped } from '../format.ts'

/** Sales rounded down to one digit below 100 and to two above: '1,200+'. Undefined if there are too few to mention. */
export function soldText(units: number): string | undefined {
  if (units < 10) return undefined
  const step = 10 ** Math.max(1, Math.floor(Math.log10(units)) - 1)
  return `${grouped(Math.floor(units / step) * step)}+`
}
