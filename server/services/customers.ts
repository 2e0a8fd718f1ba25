import { eq } from 'drizzle-orm'
import type { Login, Registration } from '#contract/auth.ts'
import type { Db } from '../db/open.ts'
import { users } from '../db/schema.ts'
import { Refusal } from '../errors.ts'
import type { Passwords } from './passwords.ts'

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

/** Opens an account. Throws a refusal for an address that has one (422). */
export async function register(
  db: Db,
  passwords: Passwords,
  { name, email, password }: Registration,
): Promise<Customer> {
  const passwordHash = await passwords.hash(password)
  const [added] = await db
    .insert(users)
    .values({ name, email: sameAddress(email), passwordHash })
    .onConflictDoNothing({ target: users.email })
    .returning({ id: users.id, name: users.name, email: users.email })
  if (!added) throw new Refusal(422, ADDRESS_TAKEN, undefined, { email: ADDRESS_TAKEN })
  return added
}

/** Whose address and password these are; null for an unknown address and for a wrong password, after the same work. */
export async function login(db: Db, passwords: Passwords, { email, password }: Login): Promise<Customer | null> {
  const [user] = await db
    .select()
    .from(users)
    .where(eq(users.email, sameAddress(email)))
  const { isRight, renewed } = await passwords.check(password, user?.passwordHash)
  if (!user || !isRight) return null
  if (renewed) await db.update(users).set({ passwordHash: renewed }).where(eq(users.id, user.id))
  return { id: user.id, name: user.name, email: user.email }
}

/** The customer with this address, for operators; null when nobody has it. */
export async function findCustomer(db: Db, email: string): Promise<Customer | null> {
  const [user] = await db
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(eq(users.email, sameAddress(email)))
  return user ?? null
}
