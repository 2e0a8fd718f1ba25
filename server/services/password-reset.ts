import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt } from 'drizzle-orm'
import { RESET_MINUTES } from '#contract/rules.ts'
import type { Db, Tx } from '../db/open.ts'
import { passwordResets, users } from '../db/schema.ts'
import { Refusal } from '../errors.ts'
import { resetLetter } from '../mail/letters.ts'
import type { Mail } from '../mail/open.ts'
import { recordAudit } from './audit.ts'
import { sameAddress } from './customers.ts'
import type { Passwords } from './passwords.ts'
import type { Sessions } from './sessions.ts'

interface Options {
  db: Db
  mail: Mail
  publicUrl: string
}

interface Reset {
  token: string
  newPassword: string
}

const TOKEN_BYTES = 32

/**
 * Mails the customer with this address a link to choose a new password; nothing happens for an address that nobody has.
 * Rejects when the mail cannot be sent. The link before, if there is one, ends.
 */
export async function mailReset({ db, mail, publicUrl }: Options, email: string): Promise<void> {
  const [user] = await db
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(eq(users.email, sameAddress(email)))
  if (!user) return
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const fresh = { tokenHash: hashOf(token), expiresAt: new Date(Date.now() + RESET_MINUTES * 60_000) }
  await db
    .insert(passwordResets)
    .values({ userId: user.id, ...fresh })
    .onConflictDoUpdate({ target: passwordResets.userId, set: fresh })
  const link = `${publicUrl}/resetpassword?token=${token}`
  await mail.send({ to: user.email, ...resetLetter({ name: user.name, link, minutes: RESET_MINUTES }) })
  await recordAudit(db, { event: 'password_link', outcome: 'ok', actorId: user.id })
}

/**
 * Sets a new password by the token of a link, which is used up, and ends every session of its customer, whose id is the
 * answer. Throws a refusal for a token that is unknown, used or too old (422).
 */
export async function resetPassword(
  { db, passwords, sessions }: { db: Db; passwords: Passwords; sessions: Sessions },
  { token, newPassword }: Reset,
  signal?: AbortSignal,
): Promise<string> {
  const isLive = and(eq(passwordResets.tokenHash, hashOf(token)), gt(passwordResets.expiresAt, new Date()))
  const [waiting] = await db.select({ userId: passwordResets.userId }).from(passwordResets).where(isLive)
  if (!waiting) throw notLive()
  const passwordHash = await passwords.hash(newPassword, signal)
  return db.transaction(async (tx: Tx) => {
    const [used] = await tx.delete(passwordResets).where(isLive).returning({ userId: passwordResets.userId })
    if (!used) throw notLive()
    await tx.update(users).set({ passwordHash }).where(eq(users.id, used.userId))
    await sessions.revokeAll(used.userId, tx)
    return used.userId
  })
}

function notLive(): Refusal {
  return new Refusal(422, 'Invalid or expired reset token')
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
