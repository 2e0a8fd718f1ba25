import { and, asc, eq } from 'drizzle-orm'
import type { Return } from '#contract/returns.ts'
import { MAX_RETURN_PICTURES } from '#contract/rules.ts'
import { isOneOf } from '../db/one-of.ts'
import type { Db } from '../db/types.ts'
import { lockCustomer } from '../accounts/customers.ts'
import { checkStoredFiles } from '../uploads/quota.ts'
import { orders, returnPictures, returns } from '../db/schema.ts'
import { type NewPicture, withoutKnown } from '../media/sent-pictures.ts'
import { recordAudit } from '../platform/audit.ts'
import { transact } from '../db/transact.ts'
import { ConflictError, NotFoundError } from '../platform/errors.ts'
import { announceToShop } from './notifying.ts'
import { ENDED } from './transitions.ts'

export type ReturnPicture = typeof returnPictures.$inferSelect

/** Returns the URL of a picture for browsers; it is signed and expires. */
export type AddressOf = (file: Pick<ReturnPicture, 'id' | 'key' | 'originalName'>) => string

/**
 * Adds stored pictures to a customer's cancellation or return, except those that it has already; returns whether any
 * were new. Throws a `NotFoundError` for an unknown one or another customer's, and a `ConflictError` if it has ended or
 * would have too many.
 */
export async function addPictures(db: Db, userId: string, returnId: string, pictures: NewPicture[]): Promise<boolean> {
  return transact(db, async tx => {
    // So that no picture is left when the customer is being erased.
    await lockCustomer(tx, userId)
    const [found] = await tx
      .select({ kind: returns.kind, status: returns.status, sellerOrderId: returns.sellerOrderId })
      .from(returns)
      .innerJoin(orders, eq(orders.id, returns.orderId))
      .where(and(eq(returns.id, returnId), eq(orders.userId, userId)))
      .for('no key update', { of: returns })
    if (!found) throw noSuchReturn()
    const known = await tx.select().from(returnPictures).where(eq(returnPictures.returnId, returnId))
    const added = withoutKnown(pictures, known)
    if (added.length === 0) return false
    const { kind, status } = found
    if (status === 'received' || ENDED.includes(status)) throw new ConflictError(`This ${kind} takes no more pictures`)
    if (known.length + added.length > MAX_RETURN_PICTURES)
      throw new ConflictError(`A ${kind} has at most ${MAX_RETURN_PICTURES} pictures`)
    await checkStoredFiles(tx, userId, added)
    for (const { width = 0, height = 0, ...picture } of added)
      await tx.insert(returnPictures).values({ returnId, width, height, ...picture })
    await announceToShop(tx, { id: returnId, ...found })
    const details = { returnId, pictures: added.length }
    await recordAudit(tx, { event: 'return_pictures', outcome: 'ok', actorId: userId, details })
    return true
  })
}

/** The pictures of returns, by the return's id, in the sequence in which they were added. */
export async function readPictures(db: Db, returnIds: string[]): Promise<Map<string, ReturnPicture[]>> {
  if (returnIds.length === 0) return new Map()
  const isOfReturns = isOneOf(returnPictures.returnId, returnIds)
  const rows = await db.select().from(returnPictures).where(isOfReturns).orderBy(asc(returnPictures.id))
  return Map.groupBy(rows, ({ returnId }) => returnId)
}

export function toAttachment(picture: ReturnPicture, addressOf: AddressOf): Return['pictures'][number] {
  const { mimeType, originalName, size, width, height } = picture
  return { type: 'image', url: addressOf(picture), mimeType, originalName, size, width, height }
}

export function noSuchReturn(): NotFoundError {
  return new NotFoundError('There is no such return')
}
