const MINUTE_MS = 60_000
const MINUTES_PER_HOUR = 60

/** How long an order can still be paid: 'Pay within 24 minutes'. Rounded down. */
export function payWithin(leftMs: number): string {
  const minutes = Math.floor(leftMs / MINUTE_MS)
  if (leftMs <= 0) return 'The time to pay is over'
  if (minutes < 1) return 'Pay within a minute'
  if (minutes < 2 * MINUTES_PER_HOUR) return `Pay within ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
  return `Pay within ${Math.floor(minutes / MINUTES_PER_HOUR)} hours`
}
