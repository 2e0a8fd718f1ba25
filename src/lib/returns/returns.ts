import {
  type AvailablePart,
  refundOf,
  type Return,
  type ReturnKind,
  type ReturnReason,
  type ReturnStatus,
} from '#contract/returns.ts'
import { MAX_RETURN_PICTURES, REFUND_TIME } from '#contract/rules.ts'
import { formatExact } from '../format.ts'
import { formatPromisedDay } from '../orders/orders.ts'

export type ReturnAction = 'withdrawReturn' | 'sendReturnBack' | 'escalateReturn'

export const PICTURES_HINT = `Up to ${MAX_RETURN_PICTURES}, to show the shop what is wrong.`

interface Status {
  /** The status in a word or two. */
  label: string
  /** The next step and its deadline. */
  next: (item: Return) => string
  actions: ReturnAction[]
}

const by = ({ dueAt }: Return) => (dueAt ? ` by ${formatPromisedDay(dueAt)}` : '')
/** The label of one that has ended without a refund. */
const COMPLETED: Record<ReturnKind, string> = { cancellation: 'Cancelled', return: 'Returned' }
const NOTHING_BACK = 'There is nothing to refund for it.'

const COMMON: Record<'closed' | 'escalated' | 'received' | 'refunded' | 'refused' | 'withdrawn' | 'declined', Status> =
  {
    closed: {
      label: 'Ended',
      next: () => 'The whole order has been refunded. You do not need to do anything.',
      actions: [],
    },
    declined: {
      label: 'Declined',
      next: ({ answer }) => `“${answer}” If you disagree, you can ask us to decide.`,
      actions: ['escalateReturn'],
    },
    escalated: {
      label: 'Under review',
      next: () => 'We are looking into it and will let you know what we decide.',
      actions: [],
    },
    received: {
      label: 'Refund on its way',
      next: ({ refundCents }) =>
        refundCents > 0
          ? `${formatExact(refundCents)} is on its way back to your original payment method. ${REFUND_TIME}`
          : NOTHING_BACK,
      actions: [],
    },
    refunded: {
      label: 'Refunded',
      next: ({ refundCents }) =>
        refundCents > 0 ? `${formatExact(refundCents)} was refunded to your original payment method.` : NOTHING_BACK,
      actions: [],
    },
    refused: { label: 'Declined', next: ({ answer }) => answer, actions: [] },
    withdrawn: { label: 'Withdrawn', next: () => 'You withdrew the request.', actions: [] },
  }

/** The texts and actions that customers see for each status. */
const STATUSES: Record<ReturnKind, Record<ReturnStatus, Status>> = {
  cancellation: {
    ...COMMON,
    requested: {
      label: 'Asked the shop',
      next: item => `${item.shopName} decides whether this can still be cancelled, and will reply${by(item)}.`,
      actions: ['withdrawReturn'],
    },
    unanswered: {
      label: 'No reply',
      next: ({ shopName }) => `${shopName} has not replied. You can ask us to decide.`,
      actions: ['escalateReturn', 'withdrawReturn'],
    },
    received: { ...COMMON.received, label: 'Cancelled' },
    approved: { label: 'Approved', next: () => '', actions: [] },
    sent_back: { label: 'Sent back', next: () => '', actions: [] },
    unconfirmed: { label: 'Not confirmed', next: () => '', actions: [] },
    lapsed: {
      label: 'Too late',
      next: ({ shopName }) =>
        `${shopName} had already begun to send the order. You can return this once it has arrived.`,
      actions: [],
    },
  },
  return: {
    ...COMMON,
    requested: {
      label: 'Asked the shop',
      next: item => `${item.shopName} will reply${by(item)}. Please keep everything until then.`,
      actions: ['withdrawReturn'],
    },
    unanswered: {
      label: 'No reply',
      next: ({ shopName }) => `${shopName} has not replied. You can ask us to decide.`,
      actions: ['escalateReturn', 'withdrawReturn'],
    },
    approved: {
      label: 'Approved',
      next: item => `Please send it back to ${item.shopName}${by(item)}, then let us know here.`,
      actions: ['sendReturnBack', 'withdrawReturn'],
    },
    sent_back: {
      label: 'Sent back',
      next: item => `${item.shopName} will confirm that it has arrived${by(item)}.`,
      actions: [],
    },
    unconfirmed: {
      label: 'Not confirmed',
      next: ({ shopName }) => `${shopName} has not confirmed that it has arrived. You can ask us to decide.`,
      actions: ['escalateReturn'],
    },
    lapsed: { label: 'Ended', next: () => 'It was not sent back in time.', actions: [] },
  },
}

/** A return's status in words, what happens next, and what the customer can do. */
export function describeReturn(item: Return): { label: string; next: string; actions: ReturnAction[] } {
  const { kind, status, refundCents } = item
  const { label, next, actions } = STATUSES[kind][status]
  const isFree = refundCents === 0 && (status === 'received' || status === 'refunded')
  return { label: isFree ? COMPLETED[kind] : label, next: next(item), actions }
}

/** What the customer gets back for units of a shop's part, by the id of their line. */
export function refundPreview(part: AvailablePart, quantities: Record<string, number>): string {
  const lines = part.lines.map(line => ({ ...line, id: line.lineId }))
  const units = new Map(Object.entries(quantities))
  const { itemsCents, shippingCents } = refundOf(lines, units, { shippingCents: part.shippingCents ?? 0 })
  const priceCents = itemsCents + shippingCents
  const backCents = Math.min(priceCents, part.leftCents ?? priceCents)
  const back = `You get ${formatExact(backCents)} back`
  if (backCents < priceCents) return `${back}. The rest of this order has been refunded already.`
  if (shippingCents > 0) return `${back}, including ${formatExact(shippingCents)} for shipping.`
  const rule = shippingRule(part)
  return itemsCents > 0 ? `${back}. ${rule}` : rule
}

function shippingRule({ kind, isShippingRefunded }: AvailablePart): string {
  if (isShippingRefunded) return 'Shipping is refunded when everything from this shop is returned or cancelled.'
  return kind === 'cancellation'
    ? 'Shipping is not refunded: the shop has sent a part of the order.'
    : 'This shop does not refund shipping.'
}

const SHOP_PAYS = 'The shop pays for sending it back.'
const CUSTOMER_PAYS = 'You pay for sending it back.'
const DEPENDS = 'You pay for sending it back, unless it is faulty, damaged or not what you ordered.'

/** Who pays for sending a product back, as the policy page says. */
export const POSTAGE: Record<ReturnReason, string> = {
  damaged: SHOP_PAYS,
  wrong_item: SHOP_PAYS,
  not_as_described: SHOP_PAYS,
  changed_mind: CUSTOMER_PAYS,
  does_not_fit: DEPENDS,
  mistake: DEPENDS,
  too_late: DEPENDS,
  other: DEPENDS,
}

/** Whether pictures can be added to a return: it has not ended, and there is room for more. */
export function takesPictures({ kind, status, pictures }: Return): boolean {
  const hasEnded = ['received', 'refunded', 'refused', 'lapsed', 'withdrawn', 'closed'].includes(status)
  return kind === 'return' && !hasEnded && pictures.length < MAX_RETURN_PICTURES
}
