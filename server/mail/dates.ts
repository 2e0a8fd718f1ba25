import { daysAfter, type DeliveryDays, totalDays } from '#contract/delivery.ts'
import { joinDates } from '#contract/rules.ts'

const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })
const FULL_DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** '3 December', in UTC. */
export function writeDate(at: Date): string {
  return DATE.format(at)
}

/** '8 December 2026', in UTC. */
export function writeFullDate(at: string): string {
  return FULL_DATE.format(new Date(at))
}

/** When something that was paid at `paidAt` should arrive: '3–6 December', in UTC. */
export function arrivalDates(paidAt: Date, days: DeliveryDays): string {
  const [first, last] = totalDays(days)
  const dateAfter = (count: number) => writeDate(new Date(daysAfter(paidAt.getTime(), count)))
  return joinDates(dateAfter(first), dateAfter(last))
}
