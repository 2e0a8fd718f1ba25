import * as z from 'zod/mini'
import { ID_LENGTH, MAX_FILTER_PRICE, MAX_PAGE_NUMBER } from './rules.ts'

/** US dollars on the wire (19.99), integer cents in our code (1999). */
export const Usd = z.codec(z.number().check(z.minimum(0)), z.int(), {
  decode: dollars => Math.round(dollars * 100),
  encode: cents => cents / 100,
})

/** Text that PostgreSQL and HTML can both hold: no NUL, no lone surrogates. `missing` is the error if undefined. */
export function plain(name: string, missing?: string) {
  const wrong = `${name} must be a single text`
  return z
    .string({ error: ({ input }) => (input === undefined ? (missing ?? wrong) : wrong) })
    .check(
      z.refine(
        value => !value.includes('\0') && value.isWellFormed(),
        `${name} must not contain characters that cannot be stored`,
      ),
    )
}

/** Like `plain`, with at most `longest` characters. */
export function text(name: string, longest: number, missing?: string) {
  return plain(name, missing).check(z.maxLength(longest, `${name} must be at most ${longest} characters`))
}

/** Whether a text has no visible characters: only spaces, control and format characters. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Cc}\p{Cf}]/u.test(text)
}

/** Any id. The provider checks whose it is. */
export function Id(name: string) {
  return text(name, ID_LENGTH)
}

/** Response of a call that returns only a message. */
export const Acknowledgement = z.object({ message: z.string() })

/** Like `Acknowledgement`, for calls where other providers of this API may omit the message. */
export const Done = z.object({ message: z._default(z.string(), '') })

/** A field that other providers of this API need and ours ignores. An invalid value never fails the request. */
export function hint<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.catch(z.optional(schema), undefined)
}

/**
 * Decoding fills in fields that other providers of this API omit: `complete` returns their values, given fields win.
 * Encoding also adds the fields that `repeat` returns, for clients that expect a field under a second name.
 */
export function completed<Schema extends z.ZodMiniType>(
  schema: Schema,
  complete: (given: Record<string, unknown>) => Record<string, unknown>,
  repeat?: (encoded: Record<string, unknown>) => Record<string, unknown>,
) {
  return z.codec(z.unknown(), schema, {
    decode: given => (isRecord(given) ? { ...complete(given), ...given } : given) as z.input<Schema>,
    encode: value => (isRecord(value) ? { ...value, ...repeat?.(value) } : value) as unknown,
  })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A query parameter. An empty value counts as absent. Numbers are sent as decimal digits. */
function parameter<T>(name: string, longest: number, read: (given: string) => T | undefined, wrong: string) {
  return z.codec(z.optional(text(name, longest)), z.custom<T | undefined>(), {
    decode: (given, context) => {
      if (given === undefined || given.trim() === '') return undefined
      const value = read(given.trim())
      if (value !== undefined) return value
      context.issues.push({ code: 'custom', message: wrong, input: given })
      return z.NEVER
    },
    encode: value => (value === undefined ? undefined : String(value)),
  })
}

/** A query parameter: a trimmed text of at most `longest` characters. */
export function queryText(name: string, longest: number) {
  return parameter<string>(name, longest, given => given, '')
}

/** A query parameter: a price in dollars, with or without cents. */
export function queryPrice(name: string) {
  const wrong = `${name} must be a number from 0 to ${MAX_FILTER_PRICE}`
  return parameter<number>(name, 40, given => inRange(/^\d+(\.\d+)?$/, given, 0, MAX_FILTER_PRICE), wrong)
}

/** A query parameter: a whole number from `lowest` to `highest`, inclusive. */
export function queryInteger(name: string, lowest: number, highest: number) {
  const wrong = `${name} must be a whole number from ${lowest} to ${highest}`
  return parameter<number>(name, 40, given => inRange(/^\d+$/, given, lowest, highest), wrong)
}

/** A query parameter: `true` or `false`. */
export function queryBoolean(name: string) {
  const read = (given: string) => (given === 'true' ? true : given === 'false' ? false : undefined)
  return parameter<boolean>(name, 40, read, `${name} must be true or false`)
}

/** A query parameter: one of `choices`, in exactly that spelling. */
export function queryChoice<const Choice extends string>(name: string, choices: readonly Choice[]) {
  const read = (given: string) => choices.find(choice => choice === given)
  return parameter<Choice>(name, 40, read, `${name} must be one of ${choices.join(', ')}`)
}

/** A query parameter: a page number, counted from 1. */
export function queryPage(name: string) {
  return queryInteger(name, 1, MAX_PAGE_NUMBER)
}

function inRange(form: RegExp, given: string, lowest: number, highest: number): number | undefined {
  if (!form.test(given)) return undefined
  const value = Number(given)
  return value >= lowest && value <= highest ? value : undefined
}
