import { createHash, createHmac, randomBytes } from 'node:crypto'

const SECRET_BYTES = 32
const FORM = /^([0-9a-f-]{36})\.[\w-]{43}$/

/** A session's first refresh token. It names its session, so that one it had long ago is still known as its own. */
export function newRefreshToken(sessionId: string): string {
  return `${sessionId}.${randomBytes(SECRET_BYTES).toString('base64url')}`
}

/** The session that a refresh token names; null for what has not the form of one. */
export function sessionNamedBy(refreshToken: string): string | null {
  return FORM.exec(refreshToken)?.[1] ?? null
}

/** What is stored of a token. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** What follows a token at a session's exchange number `count`: always the same, and known only to who has the key. */
export function successorOf(key: Uint8Array, token: string, sessionId: string, count: number): string {
  return createHmac('sha256', key).update(`${token}|${sessionId}|${count}`).digest('base64url')
}
