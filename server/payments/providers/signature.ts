import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { parseJson } from '#server/platform/parse-json.ts'
import { ServiceError } from '#server/platform/errors.ts'

type Secret = string | Uint8Array

/** How far a signature's time may be from ours, in either direction. */
const TOLERANCE_SECONDS = 300
const HEADER = /^t=(\d{1,12})((?:,v\d=[0-9a-f]{1,128}){1,10})$/

/** A signature header in Stripe's format, `t=…,v1=…`: time in seconds and HMAC-SHA256 of `body`. */
export function sign(body: Uint8Array, secret: Secret, now = Date.now()): string {
  const seconds = Math.floor(now / 1000)
  return `t=${seconds},v1=${hmac(body, secret, seconds)}`
}

/** Throws a `ServiceError` unless one of the secrets signed `body` less than five minutes ago. */
export function verify(header: string | null, body: Uint8Array, secrets: Secret[]): void {
  const [, time = '', signatures = ''] = HEADER.exec(header?.replaceAll(' ', '') ?? '') ?? []
  const seconds = Number(time)
  const isRecent = Math.abs(Date.now() / 1000 - seconds) <= TOLERANCE_SECONDS
  const given = signatures.split(',')
  const isGenuine = secrets.some(secret => given.some(part => isSame(part, `v1=${hmac(body, secret, seconds)}`)))
  if (!isRecent || !isGenuine) throw forged()
}

/** Compares in constant time. An empty `expected` never matches. */
export function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return expected !== '' && timingSafeEqual(digest(given), digest(expected))
}

/** The JSON of a verified body; undefined when it is malformed. */
export function readJson(body: Uint8Array): unknown {
  return parseJson(new TextDecoder().decode(body))
}

/** The error for a message that the provider has not signed. */
export function forged(): ServiceError {
  return new ServiceError('INVALID_SIGNATURE', 'This message is not from the payment provider')
}

function hmac(body: Uint8Array, secret: Secret, seconds: number): string {
  if (secret.length === 0) throw forged()
  return createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')
}
