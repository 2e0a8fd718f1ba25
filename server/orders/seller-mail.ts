import { and, eq } from 'drizzle-orm'
import type { SellerMail } from '../platform/job-data.ts'
import type { Db } from '../db/types.ts'
import { orders, sellerOrders, sellers, users } from '../db/schema.ts'
import type { Mailer } from '../mail/mailer.ts'
import { sellerLetter } from '../mail/seller-letter.ts'
import { linesWith, readParts, unsentUnits } from './parts.ts'

interface Options {
  db: Db
  mail: Mailer
  publicUrl: string
}

/**
 * Mails a shop which products it still has to ship, and where; rejects when the mail cannot be sent. Sends nothing if
 * the part is no longer `Processing` or the shop has no address. The mail of a free order has no destination if the
 * customer's email address is unconfirmed: otherwise anybody could write to shops in the destination's fields.
 */
export async function mailSeller({ db, mail, publicUrl }: Options, { sellerOrderId }: SellerMail): Promise<void> {
  const [found] = await db
    .select({
      order: orders,
      shopName: sellers.shopName,
      email: sellers.email,
      confirmedAt: users.emailConfirmedAt,
    })
    .from(sellerOrders)
    .innerJoin(orders, eq(orders.id, sellerOrders.orderId))
    .innerJoin(sellers, eq(sellers.id, sellerOrders.sellerId))
    .leftJoin(users, eq(users.id, orders.userId))
    .where(and(eq(sellerOrders.id, sellerOrderId), eq(sellerOrders.deliveryStatus, 'Processing')))
  if (!found?.email) return
  const { shopName, email, confirmedAt } = found
  const hasAddress = found.order.priceCents > 0 || confirmedAt !== null
  const order = hasAddress ? found.order : { ...found.order, destination: null }
  const parts = await readParts(db, order.id)
  const part = parts.find(({ id }) => id === sellerOrderId)
  if (!part) return
  // The customer may have cancelled a line before the mail is sent.
  const toSend = { ...part, lines: linesWith(part.lines, unsentUnits(part)) }
  await mail.send({ to: email, ...sellerLetter({ shopName, order, part: toSend, publicUrl }) })
}
