import * as z from 'zod/mini'
import { DAY_MS } from './rules.ts'

/** The fewest and the most days. */
export const DayRange = z.tuple([z.int(), z.int()])
export type DayRange = z.output<typeof DayRange>

/** The first and the last day on which something should arrive, ISO 8601. */
export const Arrival = z.object({ from: z.string(), until: z.string() })
export type Arrival = z.output<typeof Arrival>

/** How long a shop needs until a parcel leaves, counted from the payment, and how long the parcel then travels. */
export const DeliveryDays = z.object({ handling: DayRange, transit: DayRange })
export type DeliveryDays = z.output<typeof DeliveryDays>

/** A shop's delivery times: `handlingDays` is null if the shop promises none, `transitDays` are by country. */
interface ShopPromise {
  handlingDays: DayRange | null
  transitDays: Record<string, DayRange>
}

/** The most days that a shop can enter: longer than any parcel takes. */
export const MAX_DAYS = 120

/** A parcel counts as arrived this many days after it was expected, unless its arrival is reported earlier. */
export const ASSUMED_ARRIVAL_DAYS = 14
/** Without a promise, a parcel is expected this many days after it was sent. */
export const UNPROMISED_DAYS = 14

/** Days from payment to arrival. */
export function totalDays({ handling, transit }: DeliveryDays): DayRange {
  return [handling[0] + transit[0], handling[1] + transit[1]]
}

/** The days from payment to arrival by country, as a field of a product; no field if the shop promises none. */
export function withDeliveryDays({ handlingDays: handling, transitDays }: ShopPromise): {
  deliveryDays?: Record<string, DayRange>
} {
  const countries = Object.entries(transitDays)
  if (!handling || countries.length === 0) return {}
  const days = countries.map(([country, transit]) => [country, totalDays({ handling, transit })])
  return { deliveryDays: Object.fromEntries(days) as Record<string, DayRange> }
}

/** Expected arrival of an order paid at `paidAt` (ms since 1970). */
export function arrivalOf(paidAt: number, days: DeliveryDays): Arrival {
  const [from, until] = totalDays(days).map(count => new Date(daysAfter(paidAt, count)).toISOString())
  return { from: from!, until: until! }
}

/** Adds days of 24 hours to a time in ms since 1970. */
export function daysAfter(ms: number, days: number): number {
  return ms + days * DAY_MS
}
