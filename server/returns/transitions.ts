import type { ReturnKind, ReturnStatus } from '#contract/returns.ts'
import { RETURN_ANSWER_DAYS, RETURN_SEND_DAYS } from '#contract/rules.ts'

/**
 * What moves a cancellation or return: the shop approves, declines, receives, or ships what should be cancelled; the
 * customer withdraws, sends back or escalates; the operator allows, refunds or refuses; a deadline expires; the refund
 * is paid; the whole order is refunded, which closes what is open.
 */
export type ReturnEvent =
  | 'approve'
  | 'decline'
  | 'receive'
  | 'ship'
  | 'withdraw'
  | 'sendBack'
  | 'escalate'
  | 'allow'
  | 'refund'
  | 'refuse'
  | 'expire'
  | 'pay'
  | 'close'

/** Who brings about a step; `system`: a deadline or the payment. */
export type ReturnActor = 'shop' | 'customer' | 'operator' | 'system'

export const ACTORS: Record<ReturnEvent, ReturnActor> = {
  approve: 'shop',
  decline: 'shop',
  receive: 'shop',
  ship: 'shop',
  withdraw: 'customer',
  sendBack: 'customer',
  escalate: 'customer',
  allow: 'operator',
  refund: 'operator',
  refuse: 'operator',
  expire: 'system',
  pay: 'system',
  close: 'system',
}

type Moves = Partial<Record<ReturnStatus, ReturnStatus>>

const COMMON = {
  decline: { requested: 'declined', unanswered: 'declined' },
  escalate: { declined: 'escalated', unanswered: 'escalated', unconfirmed: 'escalated' },
  refund: { escalated: 'received' },
  refuse: { escalated: 'refused' },
  pay: { received: 'refunded' },
  close: {
    requested: 'closed',
    unanswered: 'closed',
    approved: 'closed',
    declined: 'closed',
    escalated: 'closed',
    sent_back: 'closed',
    unconfirmed: 'closed',
  },
} satisfies Partial<Record<ReturnEvent, Moves>>

/** All transitions: the next status by kind, event and status. `received` requests the refund. */
export const TRANSITIONS: Record<ReturnKind, Record<ReturnEvent, Moves>> = {
  // Nothing has to be sent back, so approval requests the refund.
  cancellation: {
    ...COMMON,
    approve: { requested: 'received', unanswered: 'received' },
    allow: { escalated: 'received' },
    receive: {},
    // Even the operator can no longer cancel it.
    ship: { requested: 'lapsed', unanswered: 'lapsed', declined: 'lapsed', escalated: 'lapsed' },
    sendBack: {},
    withdraw: { requested: 'withdrawn', unanswered: 'withdrawn' },
    expire: { requested: 'unanswered' },
  },
  return: {
    ...COMMON,
    approve: { requested: 'approved', unanswered: 'approved' },
    allow: { escalated: 'approved' },
    ship: {},
    receive: { approved: 'received', sent_back: 'received', unconfirmed: 'received' },
    sendBack: { approved: 'sent_back' },
    withdraw: { requested: 'withdrawn', unanswered: 'withdrawn', approved: 'withdrawn' },
    expire: { requested: 'unanswered', approved: 'lapsed', sent_back: 'unconfirmed' },
  },
}

/** Days until a status expires. */
export const DEADLINE_DAYS: Partial<Record<ReturnStatus, number>> = {
  requested: RETURN_ANSWER_DAYS,
  approved: RETURN_SEND_DAYS,
  sent_back: RETURN_SEND_DAYS,
}

/** Statuses in which the units are free for another request. */
export const ENDED_WITHOUT_REFUND: ReturnStatus[] = ['refused', 'lapsed', 'withdrawn', 'closed']

/** Statuses after which nothing follows. */
export const ENDED: ReturnStatus[] = ['refunded', ...ENDED_WITHOUT_REFUND]

/** Statuses in which the refund was requested. */
export const REFUNDED: ReturnStatus[] = ['received', 'refunded']
