import { isDeepStrictEqual } from 'node:util'
import { and, asc, eq } from 'drizzle-orm'
import { type BookAddress, type BookForm, DEFAULT_ADDRESS } from '#contract/account.ts'
import { MAX_ADDRESSES } from '#contract/rules.ts'
import type { Db, Tx } from '../db/types.ts'
import { addresses, users } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { ConflictError, NotFoundError } from '../platform/errors.ts'
import { lockCustomer } from './customers.ts'

/** The same error for an unknown address and for another customer's address. */
const notInBook = () => new NotFoundError('This address is not in your address book')

/** The default address, which is stored with the account, and then the others, oldest first. */
export async function readAddresses(db: Db | Tx, userId: string): Promise<BookAddress[]> {
  const own = await readDefault(db, userId)
  const others = await db
    .select()
    .from(addresses)
    .where(eq(addresses.userId, userId))
    .orderBy(asc(addresses.createdAt), asc(addresses.id))
  const listed = others.map(({ id, label, details }) => ({ id, label, isDefault: false, shippingDetails: details }))
  return own
    ? [{ id: DEFAULT_ADDRESS, label: own.label, isDefault: true, shippingDetails: own.details }, ...listed]
    : listed
}

/**
 * Adds an address; the first one becomes the default. Does nothing if the address book has it already, under the same
 * name. Throws a `ConflictError` for more than `MAX_ADDRESSES`.
 */
export async function addAddress(db: Db, userId: string, { label, shippingDetails }: BookForm): Promise<void> {
  await transact(db, async tx => {
    await lockCustomer(tx, userId)
    const isThere = (await readAddresses(tx, userId)).some(
      known => known.label === label && isDeepStrictEqual(known.shippingDetails, shippingDetails),
    )
    if (isThere) return
    if (!(await readDefault(tx, userId))) return storeDefault(tx, userId, { label, details: shippingDetails })
    if ((await tx.$count(addresses, eq(addresses.userId, userId))) >= MAX_ADDRESSES)
      throw new ConflictError('Your address book is full')
    await tx.insert(addresses).values({ userId, label, details: shippingDetails })
  })
}

/** Throws a `NotFoundError` for an address that the customer does not have. */
export async function changeAddress(db: Db, userId: string, addressId: string, form: BookForm): Promise<void> {
  const changed = { label: form.label, details: form.shippingDetails }
  await transact(db, async tx => {
    await lockCustomer(tx, userId)
    if (addressId === DEFAULT_ADDRESS) {
      if (!(await readDefault(tx, userId))) throw notInBook()
      return storeDefault(tx, userId, changed)
    }
    const rows = await tx.update(addresses).set(changed).where(ownAddress(userId, addressId)).returning()
    if (rows.length === 0) throw notInBook()
  })
}

/** Removes an address. If it is the default one, the account has no default then. Throws like `changeAddress`. */
export async function removeAddress(db: Db, userId: string, addressId: string): Promise<void> {
  await transact(db, async tx => {
    await lockCustomer(tx, userId)
    if (addressId === DEFAULT_ADDRESS) {
      if (!(await readDefault(tx, userId))) throw notInBook()
      await tx.update(users).set({ shippingDetails: null, shippingLabel: '' }).where(eq(users.id, userId))
    } else await takeOut(tx, userId, addressId)
  })
}

/** Makes an address the default; the previous default stays in the address book. Throws like `changeAddress`. */
export async function makeDefault(db: Db, userId: string, addressId: string): Promise<void> {
  await transact(db, async tx => {
    await lockCustomer(tx, userId)
    const before = await readDefault(tx, userId)
    if (addressId === DEFAULT_ADDRESS && before) return
    const next = await takeOut(tx, userId, addressId)
    // The previous default takes the new default's place in the list.
    if (before) await tx.insert(addresses).values({ userId, ...before, createdAt: next.createdAt })
    await storeDefault(tx, userId, next)
  })
}

interface Named {
  label: string
  details: BookForm['shippingDetails']
}

async function readDefault(db: Db | Tx, userId: string): Promise<Named | null> {
  const [user] = await db
    .select({ label: users.shippingLabel, details: users.shippingDetails })
    .from(users)
    .where(eq(users.id, userId))
  return user?.details ? { label: user.label, details: user.details } : null
}

async function storeDefault(tx: Tx, userId: string, { label, details }: Named): Promise<void> {
  await tx.update(users).set({ shippingDetails: details, shippingLabel: label }).where(eq(users.id, userId))
}

async function takeOut(tx: Tx, userId: string, addressId: string): Promise<typeof addresses.$inferSelect> {
  const [removed] = await tx.delete(addresses).where(ownAddress(userId, addressId)).returning()
  if (!removed) throw notInBook()
  return removed
}

function ownAddress(userId: string, addressId: string) {
  return and(eq(addresses.id, addressId), eq(addresses.userId, userId))
}
