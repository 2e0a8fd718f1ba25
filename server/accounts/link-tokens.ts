import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, type SQL } from 'drizzle-orm'
import type { emailChanges, emailConfirmations, passwordResets } from '../db/schema.ts'

const TOKEN_BYTES = 32

/** A new random token for a link in a mail, and its SHA-256. Only the hash is stored. */
export function newLinkToken(): { token: string; tokenHash: string } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, tokenHash: hashLinkToken(token) }
}

/** Matches the link with this token, unless it has expired. */
export function isLive(
  links: typeof emailChanges | typeof emailConfirmations | typeof passwordResets,
  token: string,
): SQL | undefined {
  return and(eq(links.tokenHash, hashLinkToken(token)), gt(links.expiresAt, new Date()))
}

function hashLinkToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
