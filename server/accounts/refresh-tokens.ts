import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const SECRET_BYTES = 32
const SEAL_BYTES = 16
const FORM = /^([0-9a-f-]{36})\.([\w-]{64})$/

/**
 * A session's first refresh token: the session's id, a secret, and a seal over both. So one that the session had long
 * ago is still known as its own, and nobody can make one up.
 */
export function newRefreshToken(key: Uint8Array, sessionId: string): string {
  return sealed(key, sessionId, randomBytes(SECRET_BYTES))
}

/** What follows a refresh token at its session's exchange number `count`: always the same, known to who has the key. */
export function nextRefreshToken(key: Uint8Array, token: string, sessionId: string, count: number): string {
  return sealed(key, sessionId, mac(key, `${token}|${sessionId}|${count}`))
}

/** The session that a refresh token names, whoever made it; null for what has not the form of one. */
export function sessionNamedBy(refreshToken: string): string | null {
  return FORM.exec(refreshToken)?.[1] ?? null
}

/** Whether one of these keys sealed the token, which its session then had at some time. */
export function isSealed(keys: Uint8Array[], refreshToken: string): boolean {
  const [, sessionId, text] = FORM.exec(refreshToken) ?? []
  if (!sessionId || !text) return false
  const bytes = Buffer.from(text, 'base64url')
  const [secret, seal] = [bytes.subarray(0, SECRET_BYTES), bytes.subarray(SECRET_BYTES)]
  return keys.some(key => timingSafeEqual(sealOf(key, sessionId, secret), seal))
}

/** What is stored of a token. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** The id of the bearer that follows another at its session's exchange number `count`. */
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
