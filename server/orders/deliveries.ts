import { and, eq } from 'drizzle-orm'
import type { Db, Tx } from '../db/types.ts'
import { sellerOrders } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { ConflictError, NotFoundError } from '../platform/errors.ts'
import type { Jobs } from '../platform/jobs.ts'
import { recordAudit } from '../platform/audit.ts'
import { isPartOf } from './shipping-list.ts'
import { lockOrder } from './attempt-rows.ts'
import { recordStep } from './steps.ts'
import { noSuchOrder } from './orders.ts'

type Part = typeof sellerOrders.$inferSelect
type Move = { from: 'Processing'; to: 'Shipped' } | { from: 'Shipped'; to: 'Delivered' }

/**
 * Marks the `Processing` parts of an order as shipped, and mails the customer about each: the parts of all sellers, or
 * those of one shop given by its key, name or id. Returns the shops' names. Throws a `NotFoundError` for an unknown
 * order or a shop that has no part in it, and a `ConflictError` when no part is `Processing`.
 */
export async function shipOrder(db: Db, jobs: Jobs, orderId: string, shop?: string): Promise<string[]> {
  return jobs.transact(db, async (tx, sendJob) => {
    const shipped = await move(tx, orderId, shop, { from: 'Processing', to: 'Shipped' })
    for (const { id } of shipped) {
      await recordStep(tx, orderId, { kind: 'shipped', sellerOrderId: id })
      await sendJob('orderMail', { kind: 'shipped', orderId, sellerOrderId: id })
    }
    return recordDelivery(tx, orderId, 'Shipped', shipped)
  })
}

/** Marks the shipped parts of an order as delivered; like `shipOrder`, but without mails. */
export async function deliverOrder(db: Db, orderId: string, shop?: string): Promise<string[]> {
  return transact(db, async tx => {
    const delivered = await move(tx, orderId, shop, { from: 'Shipped', to: 'Delivered' })
    for (const { id } of delivered) await recordStep(tx, orderId, { kind: 'delivered', sellerOrderId: id })
    return recordDelivery(tx, orderId, 'Delivered', delivered)
  })
}

async function move(tx: Tx, orderId: string, shop: string | undefined, { from, to }: Move): Promise<Part[]> {
  if (!(await lockOrder(tx, orderId))) throw noSuchOrder()
  const moved = await tx
    .update(sellerOrders)
    .set({ deliveryStatus: to })
    .where(and(eq(sellerOrders.orderId, orderId), eq(sellerOrders.deliveryStatus, from), ofShop(tx, shop)))
    .returning()
  if (moved.length === 0) {
    await refuseStranger(tx, orderId, shop)
    throw new ConflictError(`Nothing of this order is ${from}`)
  }
  return moved
}

/** Records the move in the audit; returns the shops' names. */
async function recordDelivery(tx: Tx, orderId: string, to: Move['to'], moved: Part[]): Promise<string[]> {
  const shopNames = moved.map(part => part.shopName)
  await recordAudit(tx, { event: 'delivery', outcome: 'ok', details: { orderId, to, shopNames } })
  return shopNames
}

async function refuseStranger(tx: Tx, orderId: string, shop: string | undefined): Promise<void> {
  const isIt = and(eq(sellerOrders.orderId, orderId), ofShop(tx, shop))
  const [part] = await tx.select({ id: sellerOrders.id }).from(sellerOrders).where(isIt).limit(1)
  if (!part) throw new NotFoundError(`Nothing of this order is of a shop called '${shop}'`)
}

function ofShop(tx: Tx, shop: string | undefined) {
  return shop === undefined ? undefined : isPartOf(tx, shop)
}
