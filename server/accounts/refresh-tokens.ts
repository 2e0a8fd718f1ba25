import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const SECRET_BYTES = 32
const SEAL_BYTES = 16
const FORM = /^([0-9a-f-]{36})\.([\w-]{64})$/

/**
 * A session's first refresh token: the session's id, a random secret, and an HMAC over both. The HMAC prevents forgery
 * and lets the shop recognise even a token that the session used long ago.
 */
export function newRefreshToken(key: Uint8Array, sessionId: string): string {
  return sealed(key, sessionId, randomBytes(SECRET_BYTES))
}

/** A refresh token's successor at exchange number `count` of its session. It is derived, so it is always the same. */
export function nextRefreshToken(key: Uint8Array, token: string, sessionId: string, count: number): string {
  return sealed(key, sessionId, mac(key, `${token}|${sessionId}|${count}`))
}

/** The session id in a refresh token, without checking its HMAC; null if the format is wrong. */
export function sessionNamedBy(refreshToken: string): string | null {
  return FORM.exec(refreshToken)?.[1] ?? null
}

/** Whether the token's HMAC was made with one of these keys, which proves that the shop issued it for its session. */
export function isSealed(keys: Uint8Array[], refreshToken: string): boolean {
  const [, sessionId, text] = FORM.exec(refreshToken) ?? []
  if (!sessionId || !text) return false
  const bytes = Buffer.from(text, 'base64url')
  const [secret, seal] = [bytes.subarray(0, SECRET_BYTES), bytes.subarray(SECRET_BYTES)]
  return keys.some(key => timingSafeEqual(sealOf(key, sessionId, secret), seal))
}

/** The hash under which a token is stored. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** The token id of a bearer's successor at exchange number `count` of its session. */
export function nextTokenId(key: Uint8Array, tokenId: string, sessionId: string, count: number): string {
  return mac(key, `${tokenId}|${sessionId}|${count}`).toString('base64url')
}

function sealed(key: Uint8Array, sessionId: string, secret: Buffer): string {
  return `${sessionId}.${Buffer.concat([secret, sealOf(key, sessionId, secret)]).toString('base64url')}`
}

function sealOf(key: Uint8Array, sessionId: string, secret: Buffer): Buffer {
  return mac(key, `seal|${sessionId}|${secret.toString('base64url')}`).subarray(0, SEAL_BYTES)
}

function mac(key: Uint8Array, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
