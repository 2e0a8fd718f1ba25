import { and, eq, sql } from 'drizzle-orm'
import { RESET_MINUTES } from '#contract/rules.ts'
import type { Db, Tx } from '../db/types.ts'
import { addresses, cartLines, emailChanges, passwordResets, productAlerts, savedLines, users } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { resetLetter } from '../mail/letters.ts'
import type { Mailer } from '../mail/mailer.ts'
import { type MailLimits, sendWithinLimit } from '../mail/within-limit.ts'
import { InvalidInputError, ServiceError } from '../platform/errors.ts'
import { recordAudit, type RequestOrigin } from '../platform/audit.ts'
import { markConfirmed } from './email-confirmation.ts'
import { isLive, newLinkToken } from './link-tokens.ts'
import { lockCustomer, mailboxOf, normaliseEmail } from './customers.ts'
import type { Passwords } from './passwords.ts'
import type { Sessions } from './sessions.ts'

interface Options {
  db: Db
  mail: Mailer
  publicUrl: string
  limits: MailLimits
}

export interface PasswordServices {
  db: Db
  passwords: Passwords
  sessions: Sessions
  /** Cancels the unpaid orders of a customer. */
  cancelUnpaid: (tx: Tx, userId: string) => Promise<void>
}

interface Reset {
  token: string
  newPassword: string
}

/**
 * Mails the customer with this address a link to choose a new password; does nothing for an unknown address, or one
 * that has got too many mails. Invalidates the previous link. Rejects if the mail cannot be sent.
 */
export async function mailReset({ db, mail, publicUrl, limits }: Options, email: string): Promise<void> {
  const [user] = await db
    .select({ id: users.id, name: users.name, email: users.email, emailConfirmedAt: users.emailConfirmedAt })
    .from(users)
    .where(eq(users.email, normaliseEmail(email)))
  if (!user) return
  // Anyone can open accounts with addresses of a mailbox, but only its owner can confirm them.
  const [limit, key] = user.emailConfirmedAt
    ? (['resetMail', user.id] as const)
    : (['unconfirmedMail', mailboxOf(user.email)] as const)
  await sendWithinLimit(limits, limit, key, async () => {
    const { token, tokenHash } = newLinkToken()
    if (!(await storeReset(db, user, tokenHash))) return
    const link = `${publicUrl}/resetpassword?token=${token}`
    const name = user.emailConfirmedAt ? user.name : undefined
    await mail.send({ to: user.email, ...resetLetter({ name, link, minutes: RESET_MINUTES }) })
    await recordAudit(db, { event: 'password_link', outcome: 'ok', actorId: user.id })
  })
}

/**
 * Stores a link, unless the customer's address has changed: it would be mailed to the old one. Waits for a change that
 * is under way.
 */
async function storeReset(db: Db, { id, email }: { id: string; email: string }, tokenHash: string): Promise<boolean> {
  const fresh = { tokenHash, expiresAt: new Date(Date.now() + RESET_MINUTES * 60_000) }
  const reset = {
    userId: users.id,
    tokenHash: sql<string>`${tokenHash}::text`.as('token_hash'),
    expiresAt: sql<Date>`${fresh.expiresAt.toISOString()}::timestamptz`.as('expires_at'),
  }
  const isSame = and(eq(users.id, id), eq(users.email, email))
  const stored = await db
    .insert(passwordResets)
    .select(db.select(reset).from(users).where(isSame).for('no key update'))
    .onConflictDoUpdate({ target: passwordResets.userId, set: fresh })
    .returning({ userId: passwordResets.userId })
  return stored.length > 0
}

/** The customer to whom the link with this token was mailed; undefined for a token that is unknown, used or expired. */
export async function findResetOwner(db: Db, token: string): Promise<string | undefined> {
  const isMatch = isLive(passwordResets, token)
  const [link] = await db.select({ userId: passwordResets.userId }).from(passwordResets).where(isMatch)
  return link?.userId
}

/**
 * Sets a new password with the token of a mailed link, which can be used once. Ends all sessions of the customer and
 * withdraws an unconfirmed change of address. The link also confirms the address. If the address was unconfirmed until
 * then, another person may have opened the account: its cart, addresses, alerts and unpaid orders are removed, and it
 * is no longer to be deleted. Throws an `InvalidInputError` for a token that is unknown, used or expired.
 */
export async function resetPassword(
  services: PasswordServices,
  reset: Reset,
  origin: RequestOrigin,
  signal?: AbortSignal,
): Promise<void> {
  try {
    await replacePassword(services, reset, origin, signal)
  } catch (error) {
    const isRefused = error instanceof ServiceError
    if (isRefused) await recordAudit(services.db, { event: 'password_reset', outcome: 'refused', ...origin })
    throw error
  }
}

async function replacePassword(
  { db, passwords, sessions, cancelUnpaid }: PasswordServices,
  { token, newPassword }: Reset,
  origin: RequestOrigin,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (!(await findResetOwner(db, token))) throw notLive()
  const passwordHash = await passwords.hash(newPassword, signal)
  await transact(db, async tx => {
    const isMatch = isLive(passwordResets, token)
    const [used] = await tx.delete(passwordResets).where(isMatch).returning({ userId: passwordResets.userId })
    if (!used) throw notLive()
    const { userId } = used
    await lockCustomer(tx, userId)
    await tx.update(users).set({ passwordHash }).where(eq(users.id, userId))
    await tx.delete(emailChanges).where(eq(emailChanges.userId, userId))
    if (await markConfirmed(tx, userId)) {
      await emptyAccount(tx, userId)
      await cancelUnpaid(tx, userId)
    }
    await sessions.revokeAll(userId, { tx })
    await recordAudit(tx, { event: 'password_reset', outcome: 'ok', actorId: userId, ...origin })
  })
}

async function emptyAccount(tx: Tx, userId: string): Promise<void> {
  await tx.update(users).set({ shippingDetails: null, shippingLabel: '', eraseAt: null }).where(eq(users.id, userId))
  await tx.delete(cartLines).where(eq(cartLines.userId, userId))
  await tx.delete(savedLines).where(eq(savedLines.userId, userId))
  await tx.delete(addresses).where(eq(addresses.userId, userId))
  await tx.delete(productAlerts).where(eq(productAlerts.userId, userId))
}

function notLive(): ServiceError {
  return new InvalidInputError('Invalid or expired reset token')
}
