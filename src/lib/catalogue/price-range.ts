/** The ends of the price slider in whole dollars; it needs two different ones to slide between. */
export function sliderEnds({ low, high }: { low: number; high: number }): { low: number; high: number } {
  const first = Math.floor(low)
  const last = Math.ceil(high)
  return { low: first, high: last > first ? last : first + 1 }
}

/** Enough for a converted price to come back as the same whole number. */
const DOLLAR_DECIMALS = 6

/** What a field of the form shows for an amount of dollars: as it was given in dollars, whole numbers elsewhere. */
export function shownAmount(dollars: string, rate: number): string {
  return rate === 1 || dollars === '' ? dollars : String(Math.round(Number(dollars) * rate))
}

/** The dollars that an amount in a field stands for. */
export function dollarsOf(amount: string, rate: number): string {
  return rate === 1 || amount === '' ? amount : String(Number((Number(amount) / rate).toFixed(DOLLAR_DECIMALS)))
}
