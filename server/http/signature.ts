import { createHmac, timingSafeEqual } from 'node:crypto'

export const TIMESTAMP_HEADER = 'x-piazza-timestamp'
export const SIGNATURE_HEADER = 'x-piazza-signature'

/** How far the clocks of sender and receiver may differ. */
export const TOLERANCE_SECONDS = 300

/** HMAC-SHA256 over `timestamp.body`, in hex; the timestamp is in seconds. */
export function sign(secret: string, timestamp: number, body: string): string {
  return createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
}

/** Whether `signature` is valid and its timestamp within five minutes of our clock. */
export function isSigned(secret: string, timestamp: string, signature: string, body: string): boolean {
  if (!/^\d{1,12}$/.test(timestamp) || !/^[0-9a-f]{64}$/.test(signature)) return false
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false
  const expected = Buffer.from(sign(secret, Number(timestamp), body), 'hex')
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'))
}

/** Headers that prove to a remote provider that a storefront's page requests `path`, rather than a visitor. */
export function pageHeaders(secret: string, path: string): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1000)
  return { [TIMESTAMP_HEADER]: String(timestamp), [SIGNATURE_HEADER]: sign(secret, timestamp, pageText(path)) }
}

/** Whether a request for `path` carries valid `pageHeaders`, made with the same secret. */
export function isFromPage(secret: string, path: string, header: (name: string) => string | undefined): boolean {
  return isSigned(secret, header(TIMESTAMP_HEADER) ?? '', header(SIGNATURE_HEADER) ?? '', pageText(path))
}

/** Can never equal the body of a purge, which is JSON and signed with the same secret. */
function pageText(path: string): string {
  return `GET ${path}`
}
