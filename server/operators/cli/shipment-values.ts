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

/** Checks a carrier's name or a tracking number, which customers read: one line of letters, digits and punctuation. */
export function readLabel(name: string, given: string, longest: number): string {
  const label = given.trim()
  if (!/^[\p{L}\p{N}][\p{L}\p{M}\p{N} .,&()'’/#-]*$/u.test(label))
    throw new UsageError(`${name} ${shown(given)} must be letters, digits, spaces and simple punctuation`)
  if (label.length > longest) throw new UsageError(`${name} must have at most ${longest} characters`)
  return label
}
