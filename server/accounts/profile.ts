import { and, eq, gt } from 'drizzle-orm'
import type { Profile } from '#contract/profile.ts'
import type { Db } from '../db/types.ts'
import { emailChanges, passwordResets, users } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { InvalidInputError } from '../platform/errors.ts'
import { recordAudit, type RequestOrigin } from '../platform/audit.ts'
import type { Jobs } from '../platform/jobs.ts'
import type { SignedIn } from '../platform/signed-in.ts'
import { isCommonPassword } from './common-passwords.ts'
import { passwordChanged } from './current-password.ts'
import { type Passwords, TOO_EASY } from './passwords.ts'
import type { Sessions } from './sessions.ts'
import { invalidToken } from './tokens.ts'

/** The customer's name and sign-in address. Throws the error of an ended session if the account has been erased. */
export async function readProfile(db: Db, userId: string): Promise<Profile> {
  const isWaiting = and(eq(emailChanges.userId, users.id), gt(emailChanges.expiresAt, new Date()))
  const [profile] = await db
    .select({ name: users.name, email: users.email, newEmail: emailChanges.newEmail })
    .from(users)
    .leftJoin(emailChanges, isWaiting)
    .where(eq(users.id, userId))
  if (!profile) throw invalidToken()
  return profile
}

/** Changes the name. Bearers keep the old one until they are refreshed. */
export async function changeName(db: Db, userId: string, name: string, origin: RequestOrigin): Promise<void> {
  await transact(db, async tx => {
    await tx.update(users).set({ name }).where(eq(users.id, userId))
    await recordAudit(tx, { event: 'name_changed', outcome: 'ok', actorId: userId, ...origin })
  })
}

interface PasswordServices {
  db: Db
  passwords: Passwords
  sessions: Sessions
  jobs: Jobs
}

/**
 * Sets a new password and notifies the customer by mail. Ends their other sessions, invalidates mailed reset links and
 * withdraws an unconfirmed change of address. `passwordHash` is the hash against which the current password was
 * checked; throws an `InvalidInputError` if it has changed since.
 */
export async function changePassword(
  { db, passwords, sessions, jobs }: PasswordServices,
  { id: userId, sessionId }: SignedIn,
  { passwordHash, newPassword }: { passwordHash: string; newPassword: string },
  { origin, signal }: { origin: RequestOrigin; signal: AbortSignal },
): Promise<void> {
  if (isCommonPassword(newPassword)) throw new InvalidInputError(TOO_EASY, { newPassword: TOO_EASY })
  const newHash = await passwords.hash(newPassword, signal)
  await jobs.transact(db, async (tx, sendJob) => {
    const isSame = and(eq(users.id, userId), eq(users.passwordHash, passwordHash))
    const [changed] = await tx
      .update(users)
      .set({ passwordHash: newHash })
      .where(isSame)
      .returning({ email: users.email, confirmedAt: users.emailConfirmedAt })
    if (!changed) throw passwordChanged()
    await tx.delete(passwordResets).where(eq(passwordResets.userId, userId))
    await tx.delete(emailChanges).where(eq(emailChanges.userId, userId))
    await sessions.revokeAll(userId, { tx, except: sessionId })
    if (changed.confirmedAt) await sendJob('accountMail', { kind: 'passwordChanged', email: changed.email })
    await recordAudit(tx, { event: 'password_changed', outcome: 'ok', actorId: userId, ...origin })
  })
}
