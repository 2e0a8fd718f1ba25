/** The ends of the price slider in whole dollars; it needs two different ones to slide between. */
export function sliderEnds({ low, high }: { low: number; high: number }): { low: number; high: number } {
  const first = Math.floor(low)
  const last = Math.ceil(high)
  return { low: first, high: last > first ? last : first + 1 }
}
