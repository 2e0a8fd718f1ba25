import { eq } from 'drizzle-orm'
import type { Return } from '#contract/returns.ts'
import { nameWithoutSku, snapshotName } from '#contract/variants.ts'
import type { Db, Tx } from '../db/types.ts'
import { orders, returns, sellerOrders, sellers, users } from '../db/schema.ts'
import type { Letter } from '../mail/mailer.ts'
import { isMailed, returnCustomerLetter, returnShopLetter } from '../mail/return-letters.ts'
import { sendWithinLimit } from '../mail/within-limit.ts'
import type { MailOptions } from '../orders/mail.ts'
import { readParts, unsentUnits } from '../orders/parts.ts'
import { isRefunded } from '../orders/payment-states.ts'
import type { ReturnMail } from '../platform/job-data.ts'
import type { SendJob } from '../platform/jobs.ts'
import { readFacts } from './facts.ts'
import { readReturn } from './listing.ts'
import type { StoredReturn } from './refunding.ts'
import type { ReturnActor } from './transitions.ts'

/**
 * Requests the mails about a return's new status to the shop and the customer, except to the one who brought it about.
 * They are sent when `tx` commits.
 */
export async function requestReturnMails(
  tx: Tx,
  sendJob: SendJob,
  stored: StoredReturn,
  by: ReturnActor,
): Promise<void> {
  const { id: returnId, status, sellerOrderId, refundId } = stored
  if (by !== 'shop' && isMailed('shop', stored)) {
    const [shop] = await tx
      .select({ email: sellers.email })
      .from(sellerOrders)
      .innerJoin(sellers, eq(sellers.id, sellerOrders.sellerId))
      .where(eq(sellerOrders.id, sellerOrderId))
    if (shop?.email) await sendJob('returnMail', { to: 'shop', returnId, status })
  }
  // A customer who cancels something free gets a mail, because there is none about a refund.
  const isOwnAct = by === 'customer' && status !== 'received'
  if (!isOwnAct && isMailed('customer', stored) && refundId === null)
    await sendJob('returnMail', { to: 'customer', returnId, status })
}

/**
 * Mails the shop or the customer about a return's status; rejects when the mail cannot be sent. Sends nothing if the
 * return has left the status, or its order, customer or shop is gone. The customer's own texts are sent only if their
 * email address is confirmed; otherwise the customer gets only mails about orders that were paid for.
 */
export async function mailReturn(options: MailOptions, { to, returnId, status }: ReturnMail): Promise<void> {
  const { db, mail, publicUrl, trackingLinks, limits } = options
  const found = await findReturn(db, returnId, to)
  if (!found || !isStill(found.details.status, status)) return
  const { order, shop, user } = found
  const isConfirmed = user !== null && user.emailConfirmedAt !== null
  const part = (await readParts(db, order.id)).find(({ id }) => id === found.stored.sellerOrderId)
  const hasNothingToSend = isRefunded(order) || !part || unsentUnits(part).size === 0
  const details = { ...found.details, ...(await readFacts(db, found.stored, status)), status, hasNothingToSend }
  const about = {
    details: isConfirmed ? details : { ...details, words: '', tracking: '' },
    orderNumber: order.number,
    publicUrl,
  }
  const sendLetter = async (address: string, letter: Omit<Letter, 'to'> | null) => {
    if (letter) await mail.send({ to: address, ...letter })
  }
  if (to === 'shop') {
    if (shop?.email) await sendLetter(shop.email, returnShopLetter({ ...about, sellerId: shop.id }))
    return
  }
  if (!user || !(isConfirmed || order.priceCents > 0)) return
  const letter = returnCustomerLetter({
    ...about,
    orderId: order.id,
    trackingPath: await trackingLinks.pathTo(order),
    customerName: isConfirmed ? user.name : undefined,
  })
  await sendWithinLimit(limits, 'orderMail', user.id, () => sendLetter(user.email, letter))
}

async function findReturn(db: Db, returnId: string, to: ReturnMail['to']) {
  const [found] = await db
    .select({ order: orders, shop: sellers, user: users, stored: returns })
    .from(returns)
    .innerJoin(orders, eq(orders.id, returns.orderId))
    .innerJoin(sellerOrders, eq(sellerOrders.id, returns.sellerOrderId))
    .leftJoin(sellers, eq(sellers.id, sellerOrders.sellerId))
    .leftJoin(users, eq(users.id, orders.userId))
    .where(eq(returns.id, returnId))
  const details = await readReturn(db, returnId, { nameOf: to === 'shop' ? snapshotName : nameWithoutSku })
  return found && details ? { ...found, details } : null
}

/** A refund may be paid before the mail is sent. */
function isStill(now: Return['status'], status: Return['status']): boolean {
  return now === status || (status === 'received' && now === 'refunded')
}
