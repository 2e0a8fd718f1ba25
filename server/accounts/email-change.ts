import { and, eq, gt, ne } from 'drizzle-orm'
import { CONFIRMATION_DAYS, DAY_MS } from '#contract/rules.ts'
import { isDuplicate } from '../db/errors.ts'
import type { Db, Tx } from '../db/types.ts'
import { emailChanges, emailConfirmations, passwordResets, users } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { newAddressLetter } from '../mail/account-letters.ts'
import type { Mailer } from '../mail/mailer.ts'
import { type MailLimits, sendWithinLimit } from '../mail/within-limit.ts'
import { ConflictError, InvalidInputError } from '../platform/errors.ts'
import { recordAudit, type RequestOrigin } from '../platform/audit.ts'
import type { Jobs } from '../platform/jobs.ts'
import type { SignedIn } from '../platform/signed-in.ts'
import { passwordChanged } from './current-password.ts'
import { ADDRESS_TAKEN, mailboxOf, normaliseEmail } from './customers.ts'
import { isLive, newLinkToken } from './link-tokens.ts'

const SAME = 'This is already your address'

const takenError = () => new ConflictError(ADDRESS_TAKEN, { newEmail: ADDRESS_TAKEN })

/**
 * Stores the address that the customer wants to change to, mails it a link, and notifies the current address if it is
 * confirmed. Replaces an earlier unconfirmed change. `passwordHash` is the stored hash against which the password was
 * checked. Throws an `InvalidInputError` if it has changed since, and a `ConflictError` if the new address already has
 * an account.
 */
export async function requestEmailChange(
  { db, jobs }: { db: Db; jobs: Jobs },
  { id: userId }: SignedIn,
  { address, passwordHash }: { address: string; passwordHash: string },
  origin: RequestOrigin,
): Promise<void> {
  const newEmail = normaliseEmail(address)
  await jobs.transact(db, async (tx, sendJob) => {
    // A new password withdraws unconfirmed changes of the address. The lock keeps this one from being stored after it.
    const [user] = await tx
      .select({ email: users.email, confirmedAt: users.emailConfirmedAt })
      .from(users)
      .where(and(eq(users.id, userId), eq(users.passwordHash, passwordHash)))
      .for('no key update')
    if (!user) throw passwordChanged()
    const [owner] = await tx.select({ id: users.id }).from(users).where(eq(users.email, newEmail))
    if (owner?.id === userId) throw new InvalidInputError(SAME, { newEmail: SAME })
    if (owner) throw takenError()
    const change = { newEmail, tokenHash: null, expiresAt: new Date(Date.now() + CONFIRMATION_DAYS * DAY_MS) }
    await tx
      .insert(emailChanges)
      .values({ userId, ...change })
      .onConflictDoUpdate({ target: emailChanges.userId, set: change })
    await sendJob('newAddress', { userId })
    if (user.confirmedAt) await sendJob('accountMail', { kind: 'emailChangeRequested', email: user.email })
    await recordAudit(tx, { event: 'email_change', outcome: 'ok', actorId: userId, ...origin })
  })
}

/** Deletes an unconfirmed change of the address, if any. Its link no longer works. */
export async function withdrawEmailChange(db: Db, userId: string, origin: RequestOrigin): Promise<void> {
  await transact(db, async tx => {
    const gone = await tx.delete(emailChanges).where(eq(emailChanges.userId, userId)).returning()
    if (gone.length === 0) return
    await recordAudit(tx, { event: 'email_change_withdrawn', outcome: 'ok', actorId: userId, ...origin })
  })
}

interface Options {
  db: Db
  mail: Mailer
  publicUrl: string
  limits: MailLimits
}

/**
 * Mails the link to the new address, unless the change was withdrawn or the mailbox has got too many mails. Rejects if
 * the mail cannot be sent.
 */
export async function mailNewAddress({ db, mail, publicUrl, limits }: Options, userId: string): Promise<void> {
  const { token, tokenHash } = newLinkToken()
  const isWaiting = and(eq(emailChanges.userId, userId), gt(emailChanges.expiresAt, new Date()))
  const [change] = await db.update(emailChanges).set({ tokenHash }).where(isWaiting).returning()
  if (!change) return
  const { newEmail } = change
  await sendWithinLimit(limits, 'unconfirmedMail', mailboxOf(newEmail), () =>
    mail.send({ to: newEmail, ...newAddressLetter({ publicUrl, token, days: CONFIRMATION_DAYS }) }),
  )
}

/**
 * Completes the change of address to which this token of a mailed link belongs, and notifies the old address if it was
 * confirmed. Links mailed to the old address no longer work. Returns false for a token that is unknown, used or
 * expired. Throws a `ConflictError` if the new address has got an account in the meantime.
 */
export async function applyEmailChange(
  { db, jobs }: { db: Db; jobs: Jobs },
  token: string,
  origin: RequestOrigin,
): Promise<boolean> {
  try {
    return await jobs.transact(db, async (tx, sendJob) => {
      const [change] = await tx.delete(emailChanges).where(isLive(emailChanges, token)).returning()
      if (!change) return false
      const { userId, newEmail } = change
      const oldEmail = await replaceEmail(tx, userId, newEmail)
      if (oldEmail) await sendJob('accountMail', { kind: 'emailChanged', email: oldEmail })
      await recordAudit(tx, { event: 'email_changed', outcome: 'ok', actorId: userId, ...origin })
      return true
    })
  } catch (error) {
    if (isDuplicate(error)) throw takenError()
    throw error
  }
}

/** Returns the old address if it was confirmed. */
async function replaceEmail(tx: Tx, userId: string, newEmail: string): Promise<string | undefined> {
  const isOwn = and(eq(users.id, userId), ne(users.email, newEmail))
  const [user] = await tx
    .select({ email: users.email, confirmedAt: users.emailConfirmedAt })
    .from(users)
    .where(isOwn)
    .for('update')
  await tx.update(users).set({ email: newEmail, emailConfirmedAt: new Date() }).where(eq(users.id, userId))
  await tx.delete(emailConfirmations).where(eq(emailConfirmations.userId, userId))
  await tx.delete(passwordResets).where(eq(passwordResets.userId, userId))
  return user?.confirmedAt ? user.email : undefined
}
