import { and, eq, sql } from 'drizzle-orm'
import type { VisitorChoice } from '#contract/account.ts'
import type { Login, Registration } from '#contract/auth.ts'
import { prepared } from '../db/prepared.ts'
import type { Db, Tx } from '../db/types.ts'
import { users } from '../db/schema.ts'
import { recordAudit, type RequestOrigin } from '../platform/audit.ts'
import { ConflictError, InvalidInputError } from '../platform/errors.ts'
import type { Jobs } from '../platform/jobs.ts'
import type { Passwords } from './passwords.ts'
import { invalidToken } from './tokens.ts'

export interface Customer {
  id: string
  name: string
  email: string
}

const GMAIL = /^g(oogle)?mail\.com$/

export const ADDRESS_TAKEN = 'This email is already registered'

/** Normalises an email address for storage: lower case, so that each person has only one account. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase()
}

/**
 * The mailbox that gets the mails to a normalised address, as a key for limits: without a tag (`ada+shop@…`) and, at
 * Gmail, without dots. Some mailboxes may share a key, so never identify customers by it.
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  const name = address.slice(0, Math.max(at, 0)).replace(/(?<=.)\+.*/s, '')
  return GMAIL.test(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`
}

/**
 * Opens an account and, if `isMailed`, mails a link to confirm the address. Throws a `ConflictError` if the address has
 * an account, `AbandonedError` if `signal` is aborted.
 */
export async function register(
  { db, passwords, jobs }: { db: Db; passwords: Passwords; jobs: Jobs },
  { name, email, password, country, currency, isMailed }: Registration & VisitorChoice & { isMailed: boolean },
  origin: RequestOrigin,
  signal?: AbortSignal,
): Promise<Customer> {
  const passwordHash = await passwords.hash(password, signal)
  return jobs.transact(db, async (tx, sendJob) => {
    const [added] = await tx
      .insert(users)
      .values({ name, email: normaliseEmail(email), passwordHash, country, currency })
      .onConflictDoNothing({ target: users.email })
      .returning({ id: users.id, name: users.name, email: users.email })
    if (!added) throw new ConflictError(ADDRESS_TAKEN, { email: ADDRESS_TAKEN })
    if (isMailed) await sendJob('emailConfirmation', { userId: added.id })
    await recordAudit(tx, { event: 'register', outcome: 'ok', actorId: added.id, ...origin })
    return added
  })
}

/** The password was right, but the customer is blocked. */
export class BlockedError extends ConflictError {
  readonly userId: string

  constructor(userId: string) {
    super('This account is blocked. Please contact the marketplace.')
    this.userId = userId
  }
}

/** The same error for an unknown address and a wrong password. */
export const wrongLogin = () => new InvalidInputError('Wrong email or password')

/**
 * Returns the customer with this address and password, and the stored password hash. Returns null for an unknown
 * address or a wrong password, after the same amount of work. Throws `BlockedError` for a blocked customer. The session
 * that follows records the login (`Sessions.start`).
 */
export async function login(
  { db, passwords }: { db: Db; passwords: Passwords },
  { email, password }: Login,
  origin: RequestOrigin = {},
  signal?: AbortSignal,
): Promise<(Customer & { passwordHash: string }) | null> {
  const refused = { event: 'login', outcome: 'refused', ...origin } as const
  const [user] = await db
    .select()
    .from(users)
    .where(eq(users.email, normaliseEmail(email)))
  const { isRight, renewed } = await passwords.check(password, user?.passwordHash, signal)
  if (!user || !isRight) {
    await recordAudit(db, { ...refused, details: { email: normaliseEmail(email) } })
    return null
  }
  const { id, name, email: address, passwordHash, blockedAt } = user
  if (blockedAt) {
    await recordAudit(db, { ...refused, actorId: id, details: { reason: 'blocked' } })
    throw new BlockedError(id)
  }
  if (!renewed) return { id, name, email: address, passwordHash }
  // Must not overwrite a password that was changed in the meantime.
  const isSame = and(eq(users.id, id), eq(users.passwordHash, passwordHash))
  const changed = await db.update(users).set({ passwordHash: renewed }).where(isSame).returning({ id: users.id })
  // Another login may have renewed the hash at the same time: check against the stored one again.
  if (changed.length === 0) return login({ db, passwords }, { email, password }, origin, signal)
  return { id, name, email: address, passwordHash: renewed }
}

const lockedUser = prepared(db =>
  db
    .select({ emailConfirmedAt: users.emailConfirmedAt })
    .from(users)
    .where(eq(users.id, sql.placeholder('id')))
    .for('no key update')
    .prepare('locked_user'),
)

export interface LockedCustomer {
  id: string
  isEmailConfirmed: boolean
}

/**
 * Locks the customer until the end of the transaction: other transactions that add data for the customer wait. Throws
 * the error of an ended session if the customer has been erased.
 */
export async function lockCustomer(tx: Tx, userId: string): Promise<LockedCustomer> {
  const [user] = await lockedUser(tx).execute({ id: userId })
  if (!user) throw invalidToken()
  return { id: userId, isEmailConfirmed: user.emailConfirmedAt !== null }
}

/** The number of accounts. */
export function countCustomers(db: Db): Promise<number> {
  return db.$count(users)
}

/** Ends the notifications and mails that ask a customer for reviews. */
export async function endReviewRequests(db: Db, userId: string): Promise<void> {
  await db.update(users).set({ reviewRequestsEndedAt: new Date() }).where(eq(users.id, userId))
}
