import { eq } from 'drizzle-orm'
import type { Db } from '../db/open.ts'
import { orders, users } from '../db/schema.ts'
import { orderLetter, type OrderNews } from '../mail/order-letters.ts'
import type { Mail } from '../mail/open.ts'
import { readParts } from './order-parts.ts'

/** What a mail about an order is about; `sellerOrderId` is the part that is shipped, `amountCents` of `currency` what is refunded. */
export interface OrderMail {
  kind: OrderNews
  orderId: string
  sellerOrderId?: string
  amountCents?: number
  currency?: string
}

interface Options {
  db: Db
  mail: Mail
  publicUrl: string
}

/** Mails the customer what became of an order; rejects when the mail cannot be sent. Nobody is told of an order that is gone. */
export async function mailOrder({ db, mail, publicUrl }: Options, about: OrderMail): Promise<void> {
  const { kind, orderId, sellerOrderId, amountCents, currency = 'USD' } = about
  const [found] = await db
    .select({ order: orders, user: { name: users.name, email: users.email } })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.userId))
    .where(eq(orders.id, orderId))
  if (!found) return
  const { order, user } = found
  const parts = await readParts(db, orderId)
  const letter = orderLetter({
    kind,
    customerName: user.name,
    publicUrl,
    order: { ...order, isRefunded: order.paymentStatus === 'refund_pending' || order.paymentStatus === 'refunded' },
    parts: sellerOrderId === undefined ? parts : parts.filter(({ id }) => id === sellerOrderId),
    amountCents: amountCents ?? order.priceCents,
    currency,
  })
  await mail.send({ to: user.email, ...letter })
}
