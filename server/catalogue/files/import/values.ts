import { MAX_PRICE_CENTS, MAX_STOCK } from '#contract/rules.ts'
import type { OnProblem } from './csv.ts'

/** A row or record cannot be used. The message is for the operator. */
export class FieldError extends Error {}

const SHOWN_LENGTH = 40

/** Maximum lengths in characters. */
export const MAX_LENGTHS = {
  name: 255,
  shop: 100,
  tag: 255,
  option: 255,
  description: 100_000,
  extra: 10_000,
  alt: 1000,
}

/** The most lines of a shop's postal address. */
export const MAX_ADDRESS_LINES = 6

/** The result of `read`. If it throws a `FieldError`, reports it with the line and returns undefined. */
export function readOrReport<Result>(line: number, onProblem: OnProblem, read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof FieldError)) throw error
    onProblem(line, error.message)
    return undefined
  }
}

/** Trims text. Throws `FieldError` if it is too long or has characters that PostgreSQL cannot store. */
export function readText(name: string, given: string, longest: number): string {
  const text = given.trim()
  if (text.length > longest) throw new FieldError(`${name} is longer than ${longest} characters`)
  if (text.includes('\0') || !text.isWellFormed())
    throw new FieldError(`${name} contains characters that cannot be stored`)
  return text
}

/** Like `readText`, for SKUs, barcodes and ids. Throws `FieldError` also for a number such as 8.60014E+11. */
export function readCode(name: string, given: string, longest = MAX_LENGTHS.option): string {
  const code = readText(name, given, longest)
  if (/^\d([.,]\d+)?E\+\d+$/i.test(code))
    throw new FieldError(
      `${name} ${shown(code)} is a number that a spreadsheet has shortened: format the column as text`,
    )
  return code
}

/** Collapses white space as browsers do, so that names that look the same are equal. */
export function spacedOnce(text: string): string {
  return text.replace(/\s+/g, ' ')
}

/**
 * Parses an amount such as 1299.00 to US cents, at `rate` dollars per unit; null if empty. Throws `FieldError`, also
 * for exactly three decimals: the point may stand between thousands.
 */
export function readCents(name: string, given: string, rate = 1): number | null {
  const text = given.trim()
  if (text === '') return null
  const [, whole = '', hundredths = ''] = /^(\d+)(?:\.(?!\d{3}$)(\d{1,2})0*)?$/.exec(text) ?? []
  if (whole === '') throw new FieldError(`${name} ${shown(text)} is not an amount such as 1299.00`)
  return convertCents(`${name} ${shown(text)}`, Number(whole) * 100 + Number(hundredths.padEnd(2, '0')), rate)
}

/** Hundredths of a currency in US cents, rounded. Throws `FieldError` above the maximum price or if rounded to 0. */
export function convertCents(name: string, hundredths: number, rate: number): number {
  // In binary, 100 × 0.145 is slightly less than 14.5.
  const cents = Math.round(Number((hundredths * rate).toPrecision(15)))
  if (cents > MAX_PRICE_CENTS) throw new FieldError(`${name} is more than ${MAX_PRICE_CENTS / 100}`)
  if (cents === 0 && hundredths > 0) throw new FieldError(`${name} is less than a cent in dollars`)
  return cents
}

/** Parses a stock, which may be negative. Throws `FieldError`. */
export function readStock(name: string, given: string): number {
  const text = given.trim()
  if (text === '') return 0
  if (!/^-?\d+(\.(?!0{3}$)0+)?$/.test(text)) throw new FieldError(`${name} ${shown(text)} is not a whole number`)
  const units = Number(text)
  if (units > MAX_STOCK) throw new FieldError(`${name} ${shown(text)} is more than ${MAX_STOCK}`)
  if (units < -MAX_STOCK) throw new FieldError(`${name} ${shown(text)} is less than -${MAX_STOCK}`)
  return Math.trunc(units)
}

const MAX_GRAMS = 100_000_000

/** Parses a weight and rounds it to grams; `unit` is the file's unit in grams. Null if empty. Throws `FieldError`. */
export function readGrams(name: string, given: string, unit = 1): number | null {
  const text = given.trim()
  if (text === '') return null
  if (!/^\d{1,9}(\.\d+)?$/.test(text)) throw new FieldError(`${name} ${shown(text)} is not a weight such as 1.25`)
  const grams = Math.round(Number(text) * unit)
  if (grams > MAX_GRAMS) throw new FieldError(`${name} ${shown(text)} is more than ${MAX_GRAMS / unit}`)
  return grams
}

/** Parses true, yes, false or no; null if empty. Throws `FieldError`. */
export function readBoolean(name: string, given: string): boolean | null {
  const text = given.trim().toLowerCase()
  if (text === '') return null
  if (text === 'true' || text === 'yes') return true
  if (text === 'false' || text === 'no') return false
  throw new FieldError(`${name} ${shown(text)} is neither true nor false`)
}

const OWN_PICTURE = /^https?:\/\/[^/]+\/media\/([0-9a-f]{64})\/\d{3,4}\.(?:webp|avif)$/

/** The hash in a media URL of this or another Piazza shop. */
export function hashIn(address: string | undefined): string | undefined {
  return OWN_PICTURE.exec(address ?? '')?.[1]
}

/** Only https and media URLs, so that sellers cannot make the shop request its own network. */
export function isPictureAddress(text: string): boolean {
  return hashIn(text) !== undefined || URL.parse(text)?.protocol === 'https:'
}

/** A picture's URL. Throws `FieldError`. */
export function readAddress(name: string, given: string): string {
  const text = readText(name, given, 2000)
  if (!isPictureAddress(text)) throw new FieldError(`${name} ${shown(text)} is not an https address`)
  return text
}

/** Quotes a text of the file for a message, cut to 40 characters. */
export function shown(text: string): string {
  return `'${text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text}'`
}
