import { eq, sql } from 'drizzle-orm'
import type { OrderMail } from '../platform/job-data.ts'
import { sumBy } from '../platform/sum.ts'
import { prepared } from '../db/prepared.ts'
import type { Db } from '../db/types.ts'
import { orders, returnLines, returns, users } from '../db/schema.ts'
import { orderLetter, type OrderMailKind, type LetterPart } from '../mail/order-letters.ts'
import type { Mailer } from '../mail/mailer.ts'
import { type MailLimits, sendWithinLimit } from '../mail/within-limit.ts'
import { hasShop, linesWith, type OrderPart, readParts } from './parts.ts'
import { isRefunded } from './payment-states.ts'
import type { TrackingLinks } from './tracking.ts'

export interface MailOptions {
  db: Db
  mail: Mailer
  publicUrl: string
  trackingLinks: Pick<TrackingLinks, 'pathTo'>
  limits: MailLimits
}

type Order = typeof orders.$inferSelect

const orderOfCustomer = prepared(db =>
  db
    .select({
      order: orders,
      user: { id: users.id, name: users.name, email: users.email, emailConfirmedAt: users.emailConfirmedAt },
    })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.userId))
    .where(eq(orders.id, sql.placeholder('orderId')))
    .prepare('order_of_customer'),
)

/**
 * Mails the customer about an order; rejects when the mail cannot be sent. Customers with an unconfirmed address get
 * only mails about orders that were paid for, without any text that the customer wrote. Mails beyond the account's
 * daily limit are dropped. Sends nothing if the order or the customer has been deleted, or if the mail is outdated:
 * mails wait for hours while the mail server is unreachable.
 */
export async function mailOrder(
  { db, mail, publicUrl, trackingLinks, limits }: MailOptions,
  about: OrderMail,
): Promise<void> {
  const { kind, orderId, sellerOrderId, parcelId, currency = 'USD' } = about
  const [found] = await orderOfCustomer(db).execute({ orderId })
  if (!found) return
  const { order, user } = found
  const isConfirmed = user.emailConfirmedAt !== null
  if (!isConfirmed && !isPaidFor(kind, order)) return
  const parts = await readParts(db, orderId)
  if (isOutdated(about, order, parts)) return
  const limit = isAboutMoney(kind, order) ? 'paymentMail' : 'orderMail'
  const amountCents = about.amountCents ?? order.priceCents
  const letter = orderLetter({
    kind,
    customerName: isConfirmed ? user.name : undefined,
    publicUrl,
    trackingPath: await trackingLinks.pathTo(order),
    order: { ...order, destination: isConfirmed ? order.destination : null, isRefunded: isRefunded(order) },
    parts:
      kind === 'refunded' && amountCents !== order.priceCents
        ? await readRefunded(db, parts, { ...about, amountCents })
        : parts.filter(({ id }) => (sellerOrderId ?? id) === id).map(part => withParcel(part, parcelId)),
    hasOtherShops:
      !isRefunded(order) && parts.some(part => part.id !== sellerOrderId && part.deliveryStatus !== 'Cancelled'),
    isShopRemoved: kind === 'late' && sellerOrderId !== undefined && !(await hasShop(db, sellerOrderId)),
    amountCents,
    isOtherPayment: about.isOtherPayment ?? false,
    currency,
  })
  await sendWithinLimit(limits, limit, user.id, () => mail.send({ to: user.email, ...letter }))
}

/**
 * What a partial refund was for: the units of a cancellation or return; nothing for the operator's own refunds. The sums
 * do not add up, so that the letter leaves them out, if less was left of the payment.
 */
async function readRefunded(
  db: Db,
  parts: OrderPart[],
  { refundId, amountCents }: { refundId?: string; amountCents: number },
): Promise<LetterPart[]> {
  if (!refundId) return []
  const rows = await db
    .select({ lineId: returnLines.lineId, quantity: returnLines.quantity, refundCents: returns.refundCents })
    .from(returnLines)
    .innerJoin(returns, eq(returns.id, returnLines.returnId))
    .where(eq(returns.refundId, refundId))
  const units = new Map(rows.map(({ lineId, quantity }) => [lineId, quantity]))
  return parts.flatMap(part => {
    const lines = linesWith(part.lines, units)
    const itemsCents = sumBy(lines, ({ quantity, unitCents }) => quantity * unitCents)
    const shippingCents = (rows[0]?.refundCents ?? itemsCents) - itemsCents
    return lines.length > 0 ? [{ ...part, lines, shippingCents, priceCents: amountCents }] : []
  })
}

/** The part, reduced to the contents of the parcel if the mail is about one. */
function withParcel(part: OrderPart, parcelId: string | undefined): LetterPart {
  const parcel = part.parcels.find(({ id }) => id === parcelId)
  if (!parcel) return part
  const isAll = part.parcels.length === 1 && part.deliveryStatus !== 'Processing'
  return { ...part, lines: linesWith(part.lines, parcel.units), parcel: { ...parcel, isAll } }
}

/** Whether a mail about a status or a late parcel is no longer true. Free orders count as paid from the start. */
function isOutdated({ kind, parcelId }: OrderMail, order: Order, parts: OrderPart[]): boolean {
  const { status, priceCents } = order
  if (kind === 'received') return status !== (priceCents === 0 ? 'placed' : 'pending')
  if (kind === 'paid') return status !== 'placed' || isRefunded(order)
  if (kind === 'cancelled') return status !== 'cancelled'
  if (kind !== 'late') return false
  return parts.flatMap(({ parcels }) => parcels).find(({ id }) => id === parcelId)?.status !== 'sent'
}

/** Whether the mail is about an order for which money was paid; false for free orders. */
function isPaidFor(kind: OrderMailKind, order: Order): boolean {
  if (kind === 'refunded') return true
  return kind !== 'received' && order.priceCents > 0 && (order.paymentStatus === 'paid' || isRefunded(order))
}

/** Such mails have their own limit: a customer has to pay to cause one. */
function isAboutMoney(kind: OrderMailKind, order: Order): boolean {
  return kind !== 'shipped' && kind !== 'late' && isPaidFor(kind, order)
}
