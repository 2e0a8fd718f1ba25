import type { Arrival, DayRange } from '#contract/delivery.ts'
import { endOfDay, joinDates } from '#contract/rules.ts'
import { lazily } from '#lib/lazily.ts'

const dates = lazily(() => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' }))

/** A range of days after `now` as dates: '3–6 December'. In UTC, as in mails, so that all name the same days. */
export function arrivalDates([from, until]: DayRange, now = new Date()): string {
  return joinDates(dateAfter(from, now), dateAfter(until, now))
}

/** When what was ordered should arrive: 'Arrives 3–6 December', in UTC, as in mails. */
export function arrivalText({ from, until }: Arrival, now = new Date()): string {
  const [first, last] = [dateAfter(0, new Date(from)), dateAfter(0, new Date(until))]
  return isOver(until, now.getTime()) ? `It should have arrived by ${last}` : `Arrives ${joinDates(first, last)}`
}

/** Whether the day of a moment has ended, in UTC: what was expected by that day is late. */
export function isOver(moment: string, now = Date.now()): boolean {
  return endOfDay(Date.parse(moment)) < now
}

function dateAfter(days: number, now: Date): string {
  const day = new Date(now)
  day.setUTCDate(day.getUTCDate() + days)
  return dates().format(day)
}
