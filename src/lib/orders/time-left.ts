const MINUTE_MS = 60_000
const MINUTES_PER_HOUR = 60
const HOURS_PER_DAY = 24

/** How long an order can still be paid: 'Pay within 24 minutes'. Rounded down. */
export function payWithin(leftMs: number): string {
  const minutes = Math.floor(leftMs / MINUTE_MS)
  if (leftMs <= 0) return 'The time to pay is over'
  if (minutes < 1) return 'Pay within a minute'
  if (minutes < 2 * MINUTES_PER_HOUR) return `Pay within ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
  const hours = Math.floor(minutes / MINUTES_PER_HOUR)
  return hours < 2 * HOURS_PER_DAY
    ? `Pay within ${hours} hours`
    : `Pay within ${Math.floor(hours / HOURS_PER_DAY)} days`
}
