/** The ends of the price slider in whole units of the shown currency. They always differ: a slider needs two ends. */
export function sliderEnds({ low, high }: { low: number; high: number }): { low: number; high: number } {
  const first = Math.floor(low)
  const last = Math.ceil(high)
  return { low: first, high: last > first ? last : first + 1 }
}

/** Enough for a converted price to convert back to the same whole number. */
const DOLLAR_DECIMALS = 6

/** The amount shown in a price field: unchanged for US dollars, rounded to whole units in other currencies. */
export function shownAmount(dollars: string, rate: number): string {
  return rate === 1 || dollars === '' ? dollars : String(Math.round(Number(dollars) * rate))
}

/** Converts a price field's amount to dollars. */
export function dollarsOf(amount: string, rate: number): string {
  return rate === 1 || amount === '' ? amount : String(Number((Number(amount) / rate).toFixed(DOLLAR_DECIMALS)))
}
