import { lt, or } from 'drizzle-orm'
import { DAY_MS } from '#contract/rules.ts'
import type { Db } from '../db/types.ts'
import { emailChanges, emailConfirmations, passwordResets, sessions } from '../db/schema.ts'

/** Deletes expired sessions, those that ended over a day ago, and expired mailed links. */
export async function sweepExpired(db: Db): Promise<void> {
  const now = new Date()
  const yesterday = new Date(now.getTime() - DAY_MS)
  // Tokens of a deleted session are rejected exactly as those of one that has ended.
  await db.delete(sessions).where(or(lt(sessions.expiresAt, now), lt(sessions.revokedAt, yesterday)))
  await db.delete(passwordResets).where(lt(passwordResets.expiresAt, now))
  await db.delete(emailConfirmations).where(lt(emailConfirmations.expiresAt, now))
  await db.delete(emailChanges).where(lt(emailChanges.expiresAt, now))
}
