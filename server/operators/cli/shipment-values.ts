import { COUNTRIES } from '#contract/countries.ts'
import { type DayRange, MAX_DAYS } from '#contract/delivery.ts'
import { shown } from '#server/catalogue/files/import/values.ts'
import { readUnits, UsageError } from './values.ts'

/** Parses `SKU`, `slug` or a line's number, optionally with the units: `mug-blue=2`. */
export function readItem(given: string): { name: string; quantity?: number } {
  const [, name = given, units] = /^(.+)=([^=]*)$/.exec(given) ?? []
  if (units === undefined) return { name }
  const quantity = readUnits(`the units of ${name}`, units)
  if (quantity === 0) throw new UsageError(`${name} needs at least one unit`)
  return { name, quantity }
}

/** Parses a number of days, `3`, or a range of them, `3-6`. */
export function readDays(name: string, given: string): DayRange {
  const [, from = '', until = from] = /^(\d{1,3})(?:-(\d{1,3}))?$/.exec(given.trim()) ?? []
  const [first, last] = [Number(from), Number(until)]
  if (from === '' || first > last || last > MAX_DAYS)
    throw new UsageError(`${name} ${shown(given)} is not a range of days such as 3-6, up to ${MAX_DAYS}`)
  return [first, last]
}

/** Parses `3-6`, for all countries (stored under ''), or `Kenya=3-6`. */
export function readTransitDays(typed: string[]): Record<string, DayRange> {
  const days = typed.map((text): [string, DayRange] => {
    const [, name, range = text] = /^(.+)=(.*)$/.exec(text) ?? []
    const country = name === undefined ? '' : COUNTRIES.find(known => known.toLowerCase() === name.trim().toLowerCase())
    if (country === undefined) throw new UsageError(`${shown(name ?? '')} is not a country that the shop knows`)
    return [country, readDays('--days', range)]
  })
  return Object.fromEntries(days)
}

/** Checks a carrier's name or a tracking number, which customers read: one line of letters, digits and punctuation. */
export function readLabel(name: string, given: string, longest: number): string {
  const label = given.trim()
  if (!/^[\p{L}\p{N}][\p{L}\p{M}\p{N} .,&()'’/#-]*$/u.test(label))
    throw new UsageError(`${name} ${shown(given)} must be letters, digits, spaces and simple punctuation`)
  if (label.length > longest) throw new UsageError(`${name} must have at most ${longest} characters`)
  return label
}
