import * as z from 'zod/mini'

/** From and until how many days, inclusive. */
export const DayRange = z.tuple([z.int(), z.int()])
export type DayRange = z.output<typeof DayRange>

/** How long a shop needs until a parcel leaves, counted from the payment, and how long the parcel then travels. */
export const DeliveryDays = z.object({ handling: DayRange, transit: DayRange })
export type DeliveryDays = z.output<typeof DeliveryDays>

/** What a shop says of its parcels: `handlingDays` is null if it promises nothing, `transitDays` are by country. */
interface ShopPromise {
  handlingDays: DayRange | null
  transitDays: Record<string, DayRange>
}

/** Longer than any parcel takes. */
export const MOST_DAYS = 120

/** A parcel counts as arrived so many days after it was expected, unless somebody says so before. */
export const ASSUMED_ARRIVAL_DAYS = 14
/** When a parcel without a promise is expected: so many days after it was sent. */
export const UNPROMISED_DAYS = 14

const DAY_MS = 24 * 3600_000

/** The days from the payment within which everything should arrive. */
export function totalDays({ handling, transit }: DeliveryDays): DayRange {
  return [handling[0] + transit[0], handling[1] + transit[1]]
}

/** The days from the payment to the arrival by country, as part of a product; nothing if the shop promises nothing. */
export function withDeliveryDays({ handlingDays: handling, transitDays }: ShopPromise): {
  deliveryDays?: Record<string, DayRange>
} {
  const countries = Object.entries(transitDays)
  if (!handling || countries.length === 0) return {}
  const days = countries.map(([country, transit]) => [country, totalDays({ handling, transit })])
  return { deliveryDays: Object.fromEntries(days) as Record<string, DayRange> }
}

/** The moment so many days of 24 hours after another, both in ms since 1970. */
export function daysAfter(ms: number, days: number): number {
  return ms + days * DAY_MS
}
