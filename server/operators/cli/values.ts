import * as z from 'zod'
import { COUNTRIES } from '#contract/countries.ts'
import { ADDRESS_LENGTH, EMAIL_LENGTH, REVIEW_ANSWER_LENGTH } from '#contract/rules.ts'
import type { ShippingCents } from '#server/db/schema.ts'
import {
  FieldError,
  MAX_ADDRESS_LINES,
  MAX_LENGTHS,
  readBoolean,
  readCents,
  readStock,
  readText,
  shown,
  spacedOnce,
} from '#server/catalogue/files/import/values.ts'
import type { ProductChanges } from '#server/catalogue/product-management.ts'

/** Highest value of `--limit`: too many lines for a screen, but the output may go to a file. */
export const MAX_LINES = 100_000

/** The command line is wrong; the message says what is wrong and why. */
export class UsageError extends Error {}

const HIGHEST_RATE = 10

const READERS: Record<string, (given: string) => ProductChanges> = {
  price: given => ({ priceCents: readCents('price', given) ?? undefined }),
  discount: given => ({ discount: readPercent(given) }),
  stock: given => ({ stock: readUnits('stock', given) }),
  hidden: given => ({ isHidden: readBoolean('hidden', given) ?? undefined }),
}

/** Parses `price=12.50 discount=10 stock=3 hidden=false`, in any order. */
export function readChanges(typed: string[]): ProductChanges {
  const names = Object.keys(READERS)
  if (typed.length === 0) throw new UsageError(`Say what to change: ${names.map(name => `${name}=…`).join(' ')}`)
  const changes: ProductChanges = {}
  const seen = new Set<string>()
  for (const text of typed) {
    const [name, value] = split(text)
    const reader = names.includes(name) ? READERS[name] : undefined
    if (!reader) throw new UsageError(`${shown(text)}: a product has ${names.join(', ')}`)
    if (seen.has(name)) throw new UsageError(`${name} is given twice`)
    seen.add(name)
    Object.assign(
      changes,
      explained(() => reader(value)),
    )
  }
  return changes
}

/** Parses a positive amount in US dollars to cents; undefined if none is given. */
export function readAmount(given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  const cents = explained(() => readCents('--amount', given))
  if (!cents) throw new UsageError('--amount must be more than 0')
  return cents
}

/** Parses rates such as `Kenya=5`, in US dollars, to cents by country. */
export function readRates(typed: string[]): ShippingCents {
  const rates: ShippingCents = {}
  for (const text of typed) {
    const [name, value] = split(text)
    const country = COUNTRIES.find(known => known.toLowerCase() === name.toLowerCase())
    if (!country) throw new UsageError(`${shown(name)} is not a country that the shop knows`)
    if (Object.hasOwn(rates, country)) throw new UsageError(`${country} is given twice`)
    rates[country] = explained(() => readCents(`the rate for ${country}`, value) ?? 0)
  }
  return rates
}

/** Like `readRates`, from a JSON object of US dollars by country. */
export function readRatesFile(text: string, name: string): ShippingCents {
  let rates: unknown
  try {
    rates = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${name} is not JSON`, { cause: error })
  }
  if (typeof rates !== 'object' || rates === null || Array.isArray(rates)) {
    throw new UsageError(`${name} must hold an object such as {"Kenya": 5}`)
  }
  return readRates(Object.entries(rates).map(([country, usd]) => `${country}=${String(usd)}`))
}

export function formatOf<Format extends string>(given: string, formats: readonly Format[]): Format {
  const format = formats.find(each => each === given)
  if (!format) throw new UsageError(`--format '${given}' is none of ${formats.join(', ')}`)
  return format
}

export function readShopName(name: string, given: string): string {
  const shopName = explained(() => spacedOnce(readText(name, given, MAX_LENGTHS.shop)))
  if (shopName === '') throw new UsageError(`${name} needs the name of a shop`)
  return shopName
}

/**
 * Parses US dollars per unit of a currency. Higher rates than `HIGHEST_RATE` are probably inverted: no unit of a
 * currency is worth more.
 */
export function readRate(name: string, given: string): number {
  const rate = /^\d{1,6}(\.\d{1,12})?$/.test(given) ? Number(given) : NaN
  if (rate > 0 && rate <= HIGHEST_RATE) return rate
  const inverse = Number((1 / rate).toPrecision(4))
  const hint = rate > HIGHEST_RATE ? ` (it looks like ${given} units for a dollar, which is ${inverse})` : ''
  throw new UsageError(
    `${name} ${shown(given)} is not what one unit of the file's currency is worth in US dollars, such as 0.095${hint}`,
  )
}

export function readUnits(name: string, given: string): number {
  return explained(() => {
    if (!/^\d+$/.test(given)) throw new FieldError(`${name} ${shown(given)} is not a whole number from 0`)
    return readStock(name, given)
  })
}

/** Parses `--limit N`, the maximum number of lines. */
export function readLimit(given: string): number {
  const limit = /^\d{1,6}$/.test(given) ? Number(given) : 0
  if (limit < 1 || limit > MAX_LINES) throw new UsageError(`--limit '${given}' is not a number from 1 to ${MAX_LINES}`)
  return limit
}

/** Parses a day, which begins at midnight UTC, or a time as lists show it; undefined if none is given. */
export function readTime(name: string, given: string | undefined): Date | undefined {
  if (given === undefined) return undefined
  const { data } = z.safeParse(z.union([z.iso.date(), z.iso.datetime({ offset: true })]), given)
  if (data === undefined)
    throw new UsageError(
      `${name} '${given}' is neither a day such as 2026-01-31 nor a time such as 2026-01-31T08:00:00Z`,
    )
  return new Date(data)
}

/** Checks an email address by the rules for customers' addresses. */
export function readEmail(given: string): string {
  const { data, success } = z.safeParse(z.email(), given.trim().toLowerCase())
  if (!success || data.length > EMAIL_LENGTH.longest)
    throw new UsageError(`'${given}' is not an email address such as shop@example.com`)
  return data
}

/** Checks a shop's answer to a review. */
export function readAnswer(given: string): string {
  const answer = explained(() => readText('The answer', given, REVIEW_ANSWER_LENGTH))
  if (answer === '') throw new UsageError('The answer is empty')
  return answer
}

/** Checks the lines of a postal address, which may be none. */
export function readAddress(typed: string[]): string[] {
  const lines = typed.map(line => explained(() => spacedOnce(readText('A line of the address', line, ADDRESS_LENGTH))))
  if (lines.includes('')) throw new UsageError('A line of the address is empty')
  if (lines.length > MAX_ADDRESS_LINES) throw new UsageError(`An address has at most ${MAX_ADDRESS_LINES} lines`)
  return lines
}

function split(text: string): [name: string, value: string] {
  const at = text.lastIndexOf('=')
  if (at < 1) throw new UsageError(`${shown(text)} must look like name=value`)
  const [name, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()]
  if (value === '') throw new UsageError(`${name} has no value behind =`)
  return [name, value]
}

function explained<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (error instanceof FieldError) throw new UsageError(error.message, { cause: error })
    throw error
  }
}

function readPercent(given: string): number {
  if (!/^\d{1,3}(\.\d{1,4})?$/.test(given) || Number(given) > 100) {
    throw new FieldError(`discount ${shown(given)} is not a percentage from 0 to 100 with at most four decimals`)
  }
  return Number(given)
}
