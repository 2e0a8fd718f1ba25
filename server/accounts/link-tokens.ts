import { createHash, randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32

/** A new random token for a link in a mail, and its SHA-256. Only the hash is stored. */
export function newLinkToken(): { token: string; tokenHash: string } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, tokenHash: hashLinkToken(token) }
}

export function hashLinkToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
