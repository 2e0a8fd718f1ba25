import { eq } from 'drizzle-orm'
import type { ReturnChanged } from '#contract/realtime.ts'
import type { ReturnKind, ReturnStatus } from '#contract/returns.ts'
import { RETURN_ANSWER_DAYS, RETURN_SEND_DAYS } from '#contract/rules.ts'
import { orderPath } from '#contract/page-urls.ts'
import type { Tx } from '../db/types.ts'
import { notifyProcesses } from '../db/process-events.ts'
import { sellerOrders, users } from '../db/schema.ts'
import type { Order } from '../orders/attempt-rows.ts'
import { notify } from '../notifications/notifications.ts'
import type { ReturnDetails } from '../mail/return-text.ts'
import { readFacts } from './facts.ts'
import type { StoredReturn } from './refunding.ts'

type About = Pick<ReturnDetails, 'kind' | 'status' | 'shopName' | 'answer' | 'isDecided' | 'isSentBack' | 'isPaidBack'>
type Words = (about: About) => { title: string; message: string }

const DECISIONS = {
  unanswered: ({ kind, shopName }) => ({
    title: `${shopName} has not replied to your ${kind}`,
    message: `It had ${RETURN_ANSWER_DAYS} days to reply. You can now ask us to decide.`,
  }),
  declined: ({ kind, shopName, answer }) => ({
    title: `${shopName} declined your ${kind}`,
    message: `“${answer}” If you disagree, you can ask us to decide.`,
  }),
  refused: ({ kind, answer }) => ({ title: `We declined your ${kind}`, message: answer }),
} satisfies Partial<Record<ReturnStatus, Words>>

/** Null: no notification, because the customer did it or gets the one about the refund. */
const WORDS: Record<ReturnKind, Record<ReturnStatus, Words | null>> = {
  cancellation: {
    ...DECISIONS,
    requested: null,
    withdrawn: null,
    escalated: null,
    approved: null,
    sent_back: null,
    unconfirmed: null,
    refunded: null,
    lapsed: ({ shopName }) => ({
      title: 'Your cancellation came too late',
      message: `${shopName} had already begun to send the order. You can return what you do not want once it has arrived.`,
    }),
    received: about => ({
      title: about.isDecided ? 'We have decided on your cancellation' : 'Your cancellation is complete',
      message: `${about.shopName} will not send what you cancelled. ${refundSentence(about)}`,
    }),
    closed: () => ({
      title: 'Your cancellation has ended',
      message: 'The whole order has been refunded, so there is nothing left to decide.',
    }),
  },
  return: {
    ...DECISIONS,
    requested: null,
    withdrawn: null,
    escalated: null,
    sent_back: null,
    refunded: null,
    approved: ({ shopName }) => ({
      title: 'Your return is approved',
      message: `Please send it back to ${shopName} within ${RETURN_SEND_DAYS} days, then choose “I have sent it back” on the order’s page.`,
    }),
    unconfirmed: ({ shopName }) => ({
      title: 'Has your return arrived?',
      message: `${shopName} has not confirmed its arrival within ${RETURN_SEND_DAYS} days. You can now ask us to decide.`,
    }),
    received: about => ({
      title: about.isDecided ? 'We have decided on your return' : 'Your return has arrived',
      message: about.isDecided
        ? `We have decided in your favour, and you do not need to do anything else. ${refundSentence(about)}`
        : `${about.shopName} has received what you sent back. ${refundSentence(about)}`,
    }),
    lapsed: () => ({
      title: 'Your return has ended',
      message: `You did not say within ${RETURN_SEND_DAYS} days of the approval that you sent it back.`,
    }),
    closed: ({ isSentBack }) => ({
      title: 'Your return has ended',
      message: isSentBack
        ? 'The whole order has been refunded, so there is nothing left to decide.'
        : 'The whole order has been refunded. You do not need to send anything back.',
    }),
  },
}

function refundSentence({ isPaidBack }: About): string {
  return isPaidBack ? 'We are refunding you.' : 'There is nothing left to refund for it.'
}

/** What the customer reads about a return's new status; null if no notification is needed. */
export function returnNotification(about: About): ReturnType<Words> | null {
  return WORDS[about.kind][about.status]?.(about) ?? null
}

/** Notifies the customer of a return's new status, in the transaction that stores it and its step. */
export async function notifyOfReturn(tx: Tx, { id: orderId, userId }: Order, stored: StoredReturn): Promise<void> {
  if (!WORDS[stored.kind][stored.status] || !userId) return
  // The customer's account may have been erased.
  const [part] = await tx
    .select({ shopName: sellerOrders.shopName })
    .from(sellerOrders)
    .innerJoin(users, eq(users.id, userId))
    .where(eq(sellerOrders.id, stored.sellerOrderId))
  if (!part) return
  const words = returnNotification({ ...stored, ...part, ...(await readFacts(tx, stored, stored.status)) })
  const eventKey = `return:${stored.id}:${stored.status}`
  if (words) await notify(tx, { userId, ...words, link: orderPath(orderId), eventKey })
}

/** Tells every process of a return's new status, for the sockets of its shop. */
export interface ReturnAnnouncement {
  sellerId: string
  changed: ReturnChanged
}

/** Announces a return's status to the connected sockets of its shop when `tx` commits. */
export async function announceToShop(
  tx: Tx,
  { id, sellerOrderId, kind, status }: Pick<StoredReturn, 'id' | 'sellerOrderId' | 'kind' | 'status'>,
): Promise<void> {
  const [part] = await tx
    .select({ sellerId: sellerOrders.sellerId })
    .from(sellerOrders)
    .where(eq(sellerOrders.id, sellerOrderId))
  if (!part) return
  const announcement: ReturnAnnouncement = { ...part, changed: { returnId: id, kind, status } }
  await notifyProcesses(tx, 'return', [JSON.stringify(announcement)])
}
