import { MAX_PRICE_CENTS, MAX_STOCK } from '#contract/rules.ts'

/** Why a row or a record cannot be used; the message is for the operator. */
export class FieldError extends Error {}

const SHOWN_LENGTH = 40

/** Trimmed text that the database and HTML can hold. */
export function readText(name: string, given: string, longest: number): string {
  const text = given.trim()
  if (text.length > longest) throw new FieldError(`${name} is longer than ${longest} characters`)
  if (text.includes('\0') || !text.isWellFormed()) throw new FieldError(`${name} holds characters that are no text`)
  return text
}

/** Spaces of any kind in a row are one space, as a browser shows them: names that look the same are the same. */
export function spacedOnce(text: string): string {
  return text.replace(/\s+/g, ' ')
}

/** An amount such as 1299.00 in cents, at `rate` US dollars for one of its units; null when nothing is given. */
export function readCents(name: string, given: string, rate = 1): number | null {
  const text = given.trim()
  if (text === '') return null
  const [, whole = '', hundredths = ''] = /^(\d{1,12})(?:\.(\d{1,2})0*)?$/.exec(text) ?? []
  if (whole === '') throw new FieldError(`${name} ${shown(text)} is not an amount such as 1299.00`)
  return convertCents(`${name} ${shown(text)}`, Number(whole) * 100 + Number(hundredths.padEnd(2, '0')), rate)
}

/** Hundredths of a currency in US cents, rounded. Throws `Fault` for what is more than a price may be, or nothing. */
export function convertCents(name: string, hundredths: number, rate: number): number {
  // 100 × 0.145 is a little less than 14.5 in binary.
  const cents = Math.round(Number((hundredths * rate).toPrecision(15)))
  if (cents > MAX_PRICE_CENTS) throw new FieldError(`${name} is more than ${MAX_PRICE_CENTS / 100}`)
  if (cents === 0 && hundredths > 0) throw new FieldError(`${name} is less than a cent in dollars`)
  return cents
}

/** Units on hand; sellers' files say less than none for what was sold beyond the stock. */
export function readStock(name: string, given: string): number {
  const text = given.trim()
  if (text === '') return 0
  if (!/^-?\d{1,12}(\.0+)?$/.test(text)) throw new FieldError(`${name} ${shown(text)} is not a whole number`)
  if (Number(text) > MAX_STOCK) throw new FieldError(`${name} ${shown(text)} is more than ${MAX_STOCK}`)
  return Math.max(0, Math.trunc(Number(text)))
}

/** Null when nothing is given. */
export function readBoolean(name: string, given: string): boolean | null {
  const text = given.trim().toLowerCase()
  if (text === '') return null
  if (text === 'true' || text === 'yes') return true
  if (text === 'false' || text === 'no') return false
  throw new FieldError(`${name} ${shown(text)} is neither true nor false`)
}

const OWN_PICTURE = /^https?:\/\/[^/]+\/media\/([0-9a-f]{64})\/\d{3,4}\.(?:webp|avif)$/

/** The hash in the address of a picture that this shop or one like it serves. */
export function hashIn(address: string | undefined): string | undefined {
  return OWN_PICTURE.exec(address ?? '')?.[1]
}

/** A picture's address; https only, so that a seller cannot make us ask our own network. */
export function readAddress(name: string, given: string): string {
  const text = readText(name, given, 2000)
  if (hashIn(text)) return text
  if (!URL.canParse(text) || new URL(text).protocol !== 'https:') {
    throw new FieldError(`${name} ${shown(text)} is not an https address`)
  }
  return text
}

/** What was given, for a message: in quotes, and no longer than a few words. */
export function shown(text: string): string {
  return `'${text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text}'`
}
