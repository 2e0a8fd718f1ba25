import { eq } from 'drizzle-orm'
import type { Db } from '../db/types.ts'
import { users } from '../db/schema.ts'
import { InvalidInputError } from '../platform/errors.ts'
import { recordAudit, type RequestOrigin } from '../platform/audit.ts'
import type { Passwords } from './passwords.ts'
import { invalidToken } from './tokens.ts'

const WRONG = 'This is not your current password'

/**
 * Checks the current password of a signed-in customer, and returns the stored hash. Throws an `InvalidInputError` if it
 * is wrong.
 */
export async function checkPassword(
  { db, passwords }: { db: Db; passwords: Passwords },
  { userId, password }: { userId: string; password: string },
  origin: RequestOrigin,
  signal?: AbortSignal,
): Promise<string> {
  const [user] = await db.select({ hash: users.passwordHash }).from(users).where(eq(users.id, userId))
  if (!user) throw invalidToken()
  const { isRight } = await passwords.check(password, user.hash, signal)
  if (isRight) return user.hash
  await recordAudit(db, { event: 'password_check', outcome: 'refused', actorId: userId, ...origin })
  throw new InvalidInputError(WRONG, { password: WRONG })
}

/** The error for a password that was checked, but has been changed since. */
export function passwordChanged(): InvalidInputError {
  return new InvalidInputError('Your password was changed elsewhere. Please log in again')
}
