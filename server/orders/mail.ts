import type { OrderMail } from '../platform/job-data.ts'
import { eq } from 'drizzle-orm'
import type { Db } from '../db/types.ts'
import { orders, users } from '../db/schema.ts'
import type { Limits } from '../http/limits.ts'
import { orderLetter, type OrderNews } from '../mail/order-letters.ts'
import type { Mail } from '../mail/open.ts'
import { readParts } from './parts.ts'

interface Options {
  db: Db
  mail: Mail
  publicUrl: string
  limits: Limits
}

type Order = typeof orders.$inferSelect

/**
 * Mails the customer what became of an order; rejects when the mail cannot be sent. An address that is not confirmed
 * gets only mails about orders that were paid for, without any text that the customer wrote. Mails beyond the daily
 * limit of the account are dropped. Nobody is told of an order that is gone.
 */
export async function mailOrder({ db, mail, publicUrl, limits }: Options, about: OrderMail): Promise<void> {
  const { kind, orderId, sellerOrderId, amountCents, currency = 'USD' } = about
  const [found] = await db
    .select({ order: orders, user: users })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.userId))
    .where(eq(orders.id, orderId))
  if (!found) return
  const { order, user } = found
  const isConfirmed = user.emailConfirmedAt !== null
  if (!isConfirmed && !isPaidFor(kind, order)) return
  const limit = isAboutMoney(kind, order) ? 'paymentMail' : 'orderMail'
  if (!(await limits.allows(limit, user.id))) return
  const parts = await readParts(db, orderId)
  const letter = orderLetter({
    kind,
    customerName: isConfirmed ? user.name : undefined,
    publicUrl,
    order: { ...order, destination: isConfirmed ? order.destination : null, isRefunded: isRefunded(order) },
    parts: sellerOrderId === undefined ? parts : parts.filter(({ id }) => id === sellerOrderId),
    amountCents: amountCents ?? order.priceCents,
    currency,
  })
  try {
    await mail.send({ to: user.email, ...letter })
  } catch (error) {
    // The job is done again, and counts then.
    await limits.giveBack(limit, user.id)
    throw error
  }
}

/** Whether the mail is about an order for which money was paid; what costs nothing is not. */
function isPaidFor(kind: OrderNews, order: Order): boolean {
  if (kind === 'refunded') return true
  return kind !== 'received' && order.priceCents > 0 && (order.paymentStatus === 'paid' || isRefunded(order))
}

/** Nobody causes these without paying. */
function isAboutMoney(kind: OrderNews, order: Order): boolean {
  return kind !== 'shipped' && isPaidFor(kind, order)
}

function isRefunded({ paymentStatus }: Order): boolean {
  return paymentStatus === 'refund_pending' || paymentStatus === 'refunded'
}
