import { and, eq } from 'drizzle-orm'
import type { Db, Tx } from '../db/types.ts'
import { sellerOrders } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { Refusal } from '../http/errors.ts'
import type { Jobs } from '../platform/jobs.ts'
import { isPartOf } from './shipping-list.ts'
import { recordAudit } from '../platform/audit.ts'
import { lockOrder } from '../payments/attempt-rows.ts'
import { recordStep } from './steps.ts'
import { noSuchOrder } from './orders.ts'

type Part = typeof sellerOrders.$inferSelect
type Move = { from: 'Processing'; to: 'Shipped' } | { from: 'Shipped'; to: 'Delivered' }

/**
 * What is ready of a paid order is on its way, of all sellers or of the one whose key or name is `shop`; the customer gets
 * a mail for each. Answers the sellers' names. Refuses (404) an unknown order and a shop that has no part in it, (422) one
 * of which nothing is ready.
 */
export async function shipOrder(db: Db, jobs: Jobs, orderId: string, shop?: string): Promise<string[]> {
  await jobs.start()
  return move(db, orderId, shop, { from: 'Processing', to: 'Shipped' }, async (tx, { id }) => {
    await recordStep(tx, orderId, `shipped:${id}`, id)
    await jobs.send('orderMail', { kind: 'shipped', orderId, sellerOrderId: id }, tx)
  })
}

/** What was shipped has arrived; as `shipOrder`, without a mail. */
export async function deliverOrder(db: Db, orderId: string, shop?: string): Promise<string[]> {
  return move(db, orderId, shop, { from: 'Shipped', to: 'Delivered' }, async (tx, { id }) => {
    await recordStep(tx, orderId, `delivered:${id}`, id)
  })
}

async function move(
  db: Db,
  orderId: string,
  shop: string | undefined,
  { from, to }: Move,
  tell: (tx: Tx, part: Part) => Promise<void>,
): Promise<string[]> {
  const shopNames = await transact(db, async tx => {
    if (!(await lockOrder(tx, orderId))) throw noSuchOrder()
    const moved = await tx
      .update(sellerOrders)
      .set({ deliveryStatus: to })
      .where(and(eq(sellerOrders.orderId, orderId), eq(sellerOrders.deliveryStatus, from), ofShop(tx, shop)))
      .returning()
    if (moved.length === 0) {
      await refuseStranger(tx, orderId, shop)
      throw new Refusal(422, `Nothing of this order is ${from}`)
    }
    for (const part of moved) await tell(tx, part)
    return moved.map(({ shopName }) => shopName)
  })
  await recordAudit(db, { event: 'delivery', outcome: 'ok', details: { orderId, to, shopNames } })
  return shopNames
}

async function refuseStranger(tx: Tx, orderId: string, shop: string | undefined): Promise<void> {
  const isIt = and(eq(sellerOrders.orderId, orderId), ofShop(tx, shop))
  const [part] = await tx.select({ id: sellerOrders.id }).from(sellerOrders).where(isIt).limit(1)
  if (!part) throw new Refusal(404, `Nothing of this order is of a shop called '${shop}'`)
}

function ofShop(tx: Tx, shop: string | undefined) {
  return shop === undefined ? undefined : isPartOf(tx, shop)
}
