import { and, eq, isNull } from 'drizzle-orm'
import { CONFIRMATION_DAYS, DAY_MS } from '#contract/rules.ts'
import type { Db, Tx } from '../db/types.ts'
import { emailChanges, emailConfirmations, users } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { confirmationLetter } from '../mail/letters.ts'
import type { Mailer } from '../mail/mailer.ts'
import { type MailLimits, sendWithinLimit } from '../mail/within-limit.ts'
import { InvalidInputError } from '../platform/errors.ts'
import { recordAudit, type RequestOrigin } from '../platform/audit.ts'
import type { Jobs } from '../platform/jobs.ts'
import { mailboxOf } from './customers.ts'
import { applyEmailChange } from './email-change.ts'
import { isLive, newLinkToken } from './link-tokens.ts'

interface Options {
  db: Db
  mail: Mailer
  publicUrl: string
  limits: MailLimits
}

/**
 * Mails the customer a link that confirms their address, unless it is confirmed already or the mailbox has got too many
 * mails. Invalidates the previous link. Rejects if the mail cannot be sent.
 */
export async function mailConfirmation({ db, mail, publicUrl, limits }: Options, userId: string): Promise<void> {
  const [user] = await db
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.emailConfirmedAt)))
  if (!user) return
  await sendWithinLimit(limits, 'unconfirmedMail', mailboxOf(user.email), async () => {
    const { token, tokenHash } = newLinkToken()
    const link = { tokenHash, expiresAt: new Date(Date.now() + CONFIRMATION_DAYS * DAY_MS) }
    await db
      .insert(emailConfirmations)
      .values({ userId, ...link })
      .onConflictDoUpdate({ target: emailConfirmations.userId, set: link })
    await mail.send({ to: user.email, ...confirmationLetter({ publicUrl, token, days: CONFIRMATION_DAYS }) })
    await recordAudit(db, { event: 'confirmation_link', outcome: 'ok', actorId: userId })
  })
}

/**
 * The customer for whose address, or change of address, the link with this token was mailed; undefined for a token that
 * is unknown, used or expired.
 */
export async function findConfirmationOwner(db: Db, token: string): Promise<string | undefined> {
  const newAddress = db.select({ userId: emailChanges.userId }).from(emailChanges).where(isLive(emailChanges, token))
  const [link] = await db
    .select({ userId: emailConfirmations.userId })
    .from(emailConfirmations)
    .where(isLive(emailConfirmations, token))
    .unionAll(newAddress)
  return link?.userId
}

/**
 * Confirms the address to which the link with this token was mailed; the token works once. If the link belongs to a
 * change of address, it completes the change. Throws an `InvalidInputError` for a token that is unknown, used or
 * expired, and a `ConflictError` if the new address has got an account in the meantime.
 */
export async function confirmEmail(
  { db, jobs }: { db: Db; jobs: Jobs },
  token: string,
  origin: RequestOrigin,
): Promise<void> {
  const event = 'email_confirmed'
  const isUsed = await transact(db, async tx => {
    const isMatch = isLive(emailConfirmations, token)
    const [used] = await tx.delete(emailConfirmations).where(isMatch).returning({ userId: emailConfirmations.userId })
    if (!used) return false
    await markConfirmed(tx, used.userId)
    await recordAudit(tx, { event, outcome: 'ok', actorId: used.userId, ...origin })
    return true
  })
  if (isUsed || (await applyEmailChange({ db, jobs }, token, origin))) return
  await recordAudit(db, { event, outcome: 'refused', ...origin })
  throw new InvalidInputError('This link has expired or has already been used')
}

/** Confirms a customer's address for the operator. Returns false if it was confirmed already. */
export function confirmByOperator(db: Db, userId: string): Promise<boolean> {
  return transact(db, async tx => {
    const isNew = await markConfirmed(tx, userId)
    const details = { by: 'operator' }
    if (isNew) await recordAudit(tx, { event: 'email_confirmed', outcome: 'ok', actorId: userId, details })
    return isNew
  })
}

/** Confirms a customer's address and deletes its unused link, if any. Returns false if it was confirmed already. */
export async function markConfirmed(tx: Tx, userId: string): Promise<boolean> {
  await tx.delete(emailConfirmations).where(eq(emailConfirmations.userId, userId))
  const confirmed = await tx
    .update(users)
    .set({ emailConfirmedAt: new Date() })
    .where(and(eq(users.id, userId), isNull(users.emailConfirmedAt)))
    .returning({ id: users.id })
  return confirmed.length > 0
}

export async function isEmailConfirmed(db: Db, userId: string): Promise<boolean> {
  const [user] = await db.select({ at: users.emailConfirmedAt }).from(users).where(eq(users.id, userId))
  return Boolean(user?.at)
}
