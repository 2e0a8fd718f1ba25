import type { DayRange } from '#contract/delivery.ts'
import { formatCount } from '../format.ts'

/** Whether shipping is free, given a product's shipping in cents by country. */
export function freeShipping(prices: Record<string, number>): 'everywhere' | 'somewhere' | 'nowhere' {
  const cents = Object.values(prices)
  if (!cents.includes(0)) return 'nowhere'
  return cents.every(each => each === 0) ? 'everywhere' : 'somewhere'
}

/** The fastest and the slowest delivery among all countries to which a product ships; undefined without a promise. */
export function deliveryTime(prices: Record<string, number>, days: Record<string, DayRange>): DayRange | undefined {
  const ranges = Object.entries(days).flatMap(([country, range]) => (Object.hasOwn(prices, country) ? [range] : []))
  if (ranges.length === 0) return undefined
  return [Math.min(...ranges.map(([from]) => from)), Math.max(...ranges.map(([, until]) => until))]
}

/** '4 to 15 days', '1 day'. */
export function inDays([from, until]: DayRange, between: string): string {
  if (from === until) return formatCount(until, 'day', 'days')
  return `${from}${between}${until} days`
}
