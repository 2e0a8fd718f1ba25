import { eq } from 'drizzle-orm'
import type { ReturnKind, ReturnStatus } from '#contract/returns.ts'
import { RETURN_ANSWER_DAYS, RETURN_SEND_DAYS } from '#contract/rules.ts'
import { orderPath } from '#contract/page-urls.ts'
import type { Tx } from '../db/types.ts'
import { sellerOrders, users } from '../db/schema.ts'
import type { Order } from '../orders/attempt-rows.ts'
import { notify } from '../notifications/notifications.ts'
import type { StoredReturn } from './refunding.ts'
import type { ReturnActor } from './transitions.ts'

type Words = (shopName: string, answer: string) => { title: string; message: string }

/** Null: the customer did it, or is told about the refund. */
const WORDS: Record<ReturnKind, Record<ReturnStatus, Words | null>> = {
  cancellation: {
    requested: null,
    withdrawn: null,
    escalated: null,
    approved: null,
    sent_back: null,
    unconfirmed: null,
    lapsed: null,
    refunded: null,
    unanswered: shopName => ({
      title: `${shopName} has not replied to your cancellation`,
      message: `It had ${RETURN_ANSWER_DAYS} days to reply. You can now ask us to decide.`,
    }),
    received: shopName => ({
      title: 'Your cancellation is complete',
      message: `${shopName} will not send what you cancelled. We are refunding you.`,
    }),
    declined: (shopName, answer) => ({
      title: `${shopName} declined your cancellation`,
      message: `${answer} If you disagree, you can ask us to decide.`,
    }),
    refused: (_, answer) => ({ title: 'We declined your cancellation', message: answer }),
    closed: () => ({
      title: 'Your cancellation has ended',
      message: 'The whole order has been refunded, so there is nothing left to decide.',
    }),
  },
  return: {
    requested: null,
    withdrawn: null,
    escalated: null,
    sent_back: null,
    refunded: null,
    unanswered: shopName => ({
      title: `${shopName} has not replied to your return`,
      message: `It had ${RETURN_ANSWER_DAYS} days to reply. You can now ask us to decide.`,
    }),
    approved: shopName => ({
      title: 'Your return is approved',
      message: `Please send it back to ${shopName} within ${RETURN_SEND_DAYS} days, then choose “I have sent it back” on the order’s page.`,
    }),
    declined: (shopName, answer) => ({
      title: `${shopName} declined your return`,
      message: `${answer} If you disagree, you can ask us to decide.`,
    }),
    unconfirmed: shopName => ({
      title: 'Has your return arrived?',
      message: `${shopName} has not confirmed its arrival within ${RETURN_SEND_DAYS} days. You can now ask us to decide.`,
    }),
    received: shopName => ({
      title: 'Your return has arrived',
      message: `${shopName} has received what you sent back. We are refunding you.`,
    }),
    refused: (_, answer) => ({ title: 'We declined your return', message: answer }),
    lapsed: () => ({
      title: 'Your return has ended',
      message: `Nothing was sent back within ${RETURN_SEND_DAYS} days of the approval.`,
    }),
    closed: () => ({
      title: 'Your return has ended',
      message: 'The whole order has been refunded. You do not need to send anything back.',
    }),
  },
}

function decided(kind: ReturnKind): Words {
  return () => ({ title: `We have decided on your ${kind}`, message: 'We are refunding you.' })
}

/** Notifies the customer of a return's new status, in the transaction that stores it. */
export async function notifyOfReturn(
  tx: Tx,
  { id: orderId, userId }: Order,
  given: StoredReturn,
  by: ReturnActor,
): Promise<void> {
  const isDecided = by === 'operator' && given.status === 'received'
  const write = isDecided ? decided(given.kind) : WORDS[given.kind][given.status]
  if (!write || !userId) return
  // The customer's account may have been erased.
  const [part] = await tx
    .select({ shopName: sellerOrders.shopName })
    .from(sellerOrders)
    .innerJoin(users, eq(users.id, userId))
    .where(eq(sellerOrders.id, given.sellerOrderId))
  if (!part) return
  const words = write(part.shopName, given.answer)
  const about = `return:${given.id}:${given.status}`
  await notify(tx, { userId, ...words, link: orderPath(orderId), about })
}
