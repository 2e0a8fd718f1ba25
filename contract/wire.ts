import * as z from 'zod/mini'
import { MAX_PAGE_NUMBER } from './rules.ts'

/** US dollars on the wire (19.99), integer cents inside (1999). */
export const Usd = z.codec(z.number().check(z.minimum(0)), z.int(), {
  decode: dollars => Math.round(dollars * 100),
  encode: cents => cents / 100,
})

/** Text that PostgreSQL and HTML can both hold: no NUL and no half of a surrogate pair. `missing` is said without one. */
export function plain(name: string, missing?: string) {
  const wrong = `${name} must be a single text`
  return z
    .string({ error: ({ input }) => (input === undefined ? (missing ?? wrong) : wrong) })
    .check(
      z.refine(
        value => !value.includes('\0') && value.isWellFormed(),
        `${name} must not contain characters that are no text`,
      ),
    )
}

/** As `plain`, of at most `longest` characters. */
export function text(name: string, longest: number, missing?: string) {
  return plain(name, missing).check(z.maxLength(longest, `${name} must be at most ${longest} characters`))
}

/** Whether there is nothing to be seen of it: spaces, controls and joiners alone. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Cc}\p{Cf}]/u.test(text)
}

/** The id of anything; whose it is, the provider looks up. */
export function Id(name: string) {
  return text(name, 100)
}

/** The answer of a call that has nothing to say but how it went. */
export const Acknowledgement = z.object({ message: z.string() })

/** As `Acknowledgement`, where other providers of this API may say nothing. */
export const Done = z.object({ message: z._default(z.string(), '') })

/** A field that other providers of this API want and ours does not read: whatever comes in, it never fails the request. */
export function hint<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.catch(z.optional(schema), undefined)
}

/**
 * `schema`, whose input is completed first: `complete` returns fields for those that other providers of this API leave
 * out of an answer. Encoding is that of `schema`, with the fields that `repeat` returns for those that other clients look
 * for under another name.
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

/** A query parameter: an empty one means 'not given'. Numbers travel as digits. */
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

/** A query parameter that is a text of at most `longest` characters, without the spaces around it. */
export function queryText(name: string, longest: number) {
  return parameter<string>(name, longest, given => given, '')
}

/** A query parameter that is a decimal number, both ends included. */
export function queryNumber(name: string, lowest: number, highest: number) {
  const wrong = `${name} must be a number from ${lowest} to ${highest}`
  return parameter<number>(name, 40, given => inRange(/^\d+(\.\d+)?$/, given, lowest, highest), wrong)
}

/** A query parameter that is a whole number, both ends included. */
export function queryInteger(name: string, lowest: number, highest: number) {
  const wrong = `${name} must be a whole number from ${lowest} to ${highest}`
  return parameter<number>(name, 40, given => inRange(/^\d+$/, given, lowest, highest), wrong)
}

/** A query parameter that is `true` or `false`. */
export function queryBoolean(name: string) {
  const read = (given: string) => (given === 'true' ? true : given === 'false' ? false : undefined)
  return parameter<boolean>(name, 40, read, `${name} must be true or false`)
}

/** A query parameter that is one of the `choices`, spelt as they are. */
export function queryChoice<const Choice extends string>(name: string, choices: readonly Choice[]) {
  const read = (given: string) => choices.find(choice => choice === given)
  return parameter<Choice>(name, 40, read, `${name} must be one of ${choices.join(', ')}`)
}

/** A query parameter that is the number of a page, counted from 1. */
export function queryPage(name: string) {
  return queryInteger(name, 1, MAX_PAGE_NUMBER)
}

function inRange(form: RegExp, given: string, lowest: number, highest: number): number | undefined {
  if (!form.test(given)) return undefined
  const value = Number(given)
  return value >= lowest && value <= highest ? value : undefined
}
