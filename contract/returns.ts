import * as z from 'zod/mini'

/** `cancellation`: before the shop has sent it off. `return`: after it was delivered. */
export const ReturnKind = z.enum(['cancellation', 'return'])
export type ReturnKind = z.output<typeof ReturnKind>

/**
 * `unanswered`: the shop has not replied in time. `escalated`: the operator decides. `unconfirmed`: sent back, but the
 * shop has not said in time that it arrived. `refused`: declined by the operator. `lapsed`: not sent back in time.
 */
export const ReturnStatus = z.enum([
  'requested',
  'unanswered',
  'approved',
  'declined',
  'escalated',
  'sent_back',
  'unconfirmed',
  'received',
  'refunded',
  'refused',
  'lapsed',
  'withdrawn',
])
export type ReturnStatus = z.output<typeof ReturnStatus>

/** Why customers cancel or return, in words. */
const RETURN_REASONS = {
  damaged: 'It arrived damaged',
  wrong_item: 'It is not what I ordered',
  not_as_described: 'It is not as described',
  does_not_fit: 'It does not fit',
  mistake: 'I ordered it by mistake',
  too_late: 'It would arrive too late',
  changed_mind: 'I changed my mind',
  other: 'Another reason',
} as const
export type ReturnReason = keyof typeof RETURN_REASONS
