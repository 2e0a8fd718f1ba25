import { lt } from 'drizzle-orm'
import type { Db } from '../db/types.ts'
import { emailChanges, emailConfirmations, passwordResets, sessions } from '../db/schema.ts'

/** Deletes expired sessions and mailed links. */
export async function sweepExpired(db: Db): Promise<void> {
  const now = new Date()
  await db.delete(sessions).where(lt(sessions.expiresAt, now))
  await db.delete(passwordResets).where(lt(passwordResets.expiresAt, now))
  await db.delete(emailConfirmations).where(lt(emailConfirmations.expiresAt, now))
  await db.delete(emailChanges).where(lt(emailChanges.expiresAt, now))
}
