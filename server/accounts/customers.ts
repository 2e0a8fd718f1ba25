import { and, eq } from 'drizzle-orm'
import type { Login, Registration } from '#contract/auth.ts'
import type { Db, Tx } from '../db/types.ts'
import { users } from '../db/schema.ts'
import { Refusal } from '../http/errors.ts'
import type { Jobs } from '../platform/jobs.ts'
import type { Passwords } from './passwords.ts'
import { invalidToken } from './tokens.ts'

export interface Customer {
  id: string
  name: string
  email: string
}

const ADDRESS_TAKEN = 'This email is registered already'

/** Addresses are kept in lower case, so that one person has one account. */
export function sameAddress(email: string): string {
  return email.trim().toLowerCase()
}

/**
 * Opens an account and mails its address a link to confirm it. Throws a refusal for an address that has one (422),
 * `AbandonedError` for an aborted signal.
 */
export async function register(
  { db, passwords, jobs }: { db: Db; passwords: Passwords; jobs: Jobs },
  { name, email, password }: Registration,
  signal?: AbortSignal,
): Promise<Customer> {
  const passwordHash = await passwords.hash(password, signal)
  return jobs.transact(db, async (tx, sendJob) => {
    const [added] = await tx
      .insert(users)
      .values({ name, email: sameAddress(email), passwordHash })
      .onConflictDoNothing({ target: users.email })
      .returning({ id: users.id, name: users.name, email: users.email })
    if (!added) throw new Refusal(422, ADDRESS_TAKEN, undefined, { email: ADDRESS_TAKEN })
    await sendJob('emailConfirmation', { userId: added.id })
    return added
  })
}

/** The customer gave the right password and may not sign in (422). */
export class BlockedError extends Refusal {
  readonly userId: string

  constructor(userId: string) {
    super(422, 'This account is blocked. Please contact the marketplace.')
    this.name = 'BlockedError'
    this.userId = userId
  }
}

/** Answers an unknown address and a wrong password alike. */
export const wrongLogin = () => new Refusal(422, 'Wrong email or password')

/**
 * Whose address and password these are, and the hash that proved it; null for an unknown address and for a wrong
 * password, after the same work. Throws `BlockedError` for a customer who may not sign in.
 */
export async function login(
  db: Db,
  passwords: Passwords,
  { email, password }: Login,
  signal?: AbortSignal,
): Promise<(Customer & { passwordHash: string }) | null> {
  const [user] = await db
    .select()
    .from(users)
    .where(eq(users.email, sameAddress(email)))
  const { isRight, renewed } = await passwords.check(password, user?.passwordHash, signal)
  if (!user || !isRight) return null
  const { id, name, email: address, passwordHash, blockedAt } = user
  if (blockedAt) throw new BlockedError(id)
  if (!renewed) return { id, name, email: address, passwordHash }
  // A password that was changed meanwhile stays changed.
  const isSame = and(eq(users.id, id), eq(users.passwordHash, passwordHash))
  const changed = await db.update(users).set({ passwordHash: renewed }).where(isSame).returning({ id: users.id })
  // Another login may have renewed it at the same moment: what is stored now decides.
  if (changed.length === 0) return login(db, passwords, { email, password }, signal)
  return { id, name, email: address, passwordHash: renewed }
}

export interface LockedCustomer {
  id: string
  isEmailConfirmed: boolean
}

/**
 * Until the end of the transaction, others that order for this customer or add to what they have wait. Throws the refusal
 * of an ended session (409) for a customer who has been erased.
 */
export async function lockCustomer(tx: Tx, userId: string): Promise<LockedCustomer> {
  const [user] = await tx
    .select({ emailConfirmedAt: users.emailConfirmedAt })
    .from(users)
    .where(eq(users.id, userId))
    .for('no key update')
  if (!user) throw invalidToken()
  return { id: userId, isEmailConfirmed: user.emailConfirmedAt !== null }
}

/** How many accounts there are. */
export function countCustomers(db: Db): Promise<number> {
  return db.$count(users)
}

/** The customer with this address, for operators; null when nobody has it. */
export async function findCustomer(db: Db, email: string): Promise<Customer | null> {
  const [user] = await db
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(eq(users.email, sameAddress(email)))
  return user ?? null
}
