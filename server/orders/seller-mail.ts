import { eq } from 'drizzle-orm'
import type { SellerMail } from '../platform/job-data.ts'
import type { Db } from '../db/types.ts'
import { orders, sellerOrders, sellers, users } from '../db/schema.ts'
import type { Mailer } from '../mail/mailer.ts'
import { cancelledLetter, sellerLetter } from '../mail/seller-letter.ts'
import { cancelledUnits, linesWith, type OrderPart, readParts, unsentUnits } from './parts.ts'
import { isRefunded } from './payment-states.ts'

interface Options {
  db: Db
  mail: Mailer
  publicUrl: string
}

/**
 * Mails a shop which products it still has to ship, and where, or which of them it must no longer send; rejects when
 * the mail cannot be sent. Sends nothing if the shop has no address, or if a part that was to be shipped is no longer
 * `Processing` or its order is refunded. The mail of a free order has no destination if the customer's email address is
 * unconfirmed: otherwise anybody could write to shops in the destination's fields.
 */
export async function mailSeller({ db, mail, publicUrl }: Options, { sellerOrderId, kind }: SellerMail): Promise<void> {
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
    .where(eq(sellerOrders.id, sellerOrderId))
  if (!found?.email) return
  const { shopName, email, confirmedAt } = found
  const hasAddress = found.order.priceCents > 0 || confirmedAt !== null
  const order = hasAddress ? found.order : { ...found.order, destination: null }
  const parts = await readParts(db, order.id)
  const part = parts.find(({ id }) => id === sellerOrderId)
  if (!part) return
  if (kind !== 'cancelled' && (part.deliveryStatus !== 'Processing' || isRefunded(order))) return
  const writeLetter = kind === 'cancelled' ? cancelledLetter : sellerLetter
  // The customer may have cancelled a line before the mail is sent.
  const lines = linesWith(part.lines, kind === 'cancelled' ? unitsNotToSend(part) : unsentUnits(part))
  await mail.send({ to: email, ...writeLetter({ shopName, order, part: { ...part, lines }, publicUrl }) })
}

function unitsNotToSend(part: OrderPart): Map<string, number> {
  if (part.deliveryStatus !== 'Cancelled') return cancelledUnits(part)
  // The shop was told of units that the customer had cancelled before.
  const left = part.lines.map(({ id, quantity, restocked }): [string, number] => [id, quantity - restocked])
  return new Map(left.filter(([, quantity]) => quantity > 0))
}
