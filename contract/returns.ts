import * as z from 'zod/mini'
import { Attachment } from './chat.ts'
import { endpoint, renamed } from './endpoint.ts'
import { TRACKING_LENGTH } from './parcels.ts'
import { MAX_CART_LINES, MAX_STOCK, RETURN_WORDS_LENGTH } from './rules.ts'
import { Acknowledgement, Id, plain, text, Usd } from './wire.ts'

/** `cancellation`: before the shop has shipped the goods. `return`: after they were delivered. */
export const ReturnKind = z.enum(['cancellation', 'return'])
export type ReturnKind = z.output<typeof ReturnKind>

/**
 * `unanswered`: the shop has not replied in time. `escalated`: the operator decides. `unconfirmed`: sent back, but the
 * shop has not confirmed the arrival in time. `refused`: declined by the operator. `lapsed`: a return that was not sent
 * back in time, or a cancellation that nobody has allowed before the shop shipped. `closed`: the whole order was
 * refunded in the meantime.
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
  'closed',
])
export type ReturnStatus = z.output<typeof ReturnStatus>

/** The reasons for cancelling or returning, as customers read them. */
export const RETURN_REASONS = {
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

/** The reasons that are offered for each kind. */
export const REASONS_OF: Record<ReturnKind, readonly ReturnReason[]> = {
  cancellation: ['mistake', 'too_late', 'changed_mind', 'other'],
  return: ['damaged', 'wrong_item', 'not_as_described', 'does_not_fit', 'changed_mind', 'other'],
}

const Reason = z.enum(Object.keys(RETURN_REASONS) as ReturnReason[], 'Choose a reason')

/** A line of which `quantity` units can be cancelled or returned now. */
const AvailableLine = renamed(
  { lineId: z.string(), name: z.string(), quantity: z.int(), unitPrice: Usd },
  { unitPrice: 'unitCents' },
)

/**
 * Whether the customer can now cancel or return a seller's part. `isImmediate`: it is cancelled at once; otherwise the
 * shop decides. `isShippingRefunded`: shipping is refunded too if the whole part is returned. `shippingPrice`: the
 * shipping that is refunded if all of `lines` are chosen; absent while another open return may contain the last units.
 * `leftAmount`: what is left of the order's payment, so that no more is refunded. `until`: the deadline, ISO 8601.
 */
const AvailablePart = renamed(
  {
    sellerOrderId: z.string(),
    shopName: z.string(),
    kind: ReturnKind,
    isImmediate: z.boolean(),
    isShippingRefunded: z.boolean(),
    shippingPrice: z.optional(Usd),
    leftAmount: z.optional(Usd),
    until: z.optional(z.iso.datetime()),
    lines: z.array(AvailableLine),
  },
  { shippingPrice: 'shippingCents', leftAmount: 'leftCents' },
)
export type AvailablePart = z.output<typeof AvailablePart>

/**
 * A cancellation or return. `answer` is the reason for declining it. `dueAt` is when its status ends if nobody takes
 * the next step. `refundAmount` is 0 until it is decided, and what is refunded then: at most what was left of the
 * payment. `pictures` are the customer's. `sendTo` has the lines of the shop's postal address, while the return is
 * approved and if the shop has one.
 */
export const Return = renamed(
  {
    _id: z.string(),
    sellerOrderId: z.string(),
    shopName: z.string(),
    kind: ReturnKind,
    status: ReturnStatus,
    reason: Reason,
    words: z.string(),
    answer: z.string(),
    tracking: z.string(),
    sendTo: z.optional(z.array(z.string())),
    refundAmount: Usd,
    createdAt: z.iso.datetime(),
    dueAt: z.optional(z.iso.datetime()),
    pictures: z._default(z.array(Attachment), []),
    lines: z.array(z.object({ name: z.string(), quantity: z.int() })),
  },
  { _id: 'id', refundAmount: 'refundCents' },
)
export type Return = z.output<typeof Return>

/** The cancellations and returns of an order, newest first, and what can be cancelled or returned now. */
export const getReturns = endpoint({
  method: 'GET',
  path: '/home/customer/returns/:orderId',
  input: z.object({ orderId: Id('orderId') }),
  output: z.object({ available: z.array(AvailablePart), returns: z.array(Return) }),
  isForCustomers: true,
})

/**
 * Cancels lines of a seller's part at once, or asks the shop to cancel them or to take them back. The same request with
 * the same key, or without one within `SAME_REQUEST_SECONDS`, is done once. Fails with 422 if the key belongs to
 * another request for this order.
 */
export const requestReturn = endpoint({
  method: 'POST',
  path: '/home/customer/returns/:orderId',
  input: z.object({
    orderId: Id('orderId'),
    sellerOrderId: Id('sellerOrderId'),
    kind: ReturnKind,
    reason: Reason,
    words: z._default(
      plain('words').check(z.maxLength(RETURN_WORDS_LENGTH, `At most ${RETURN_WORDS_LENGTH} characters`)),
      '',
    ),
    lines: z
      .array(z.object({ lineId: Id('lineId'), quantity: z.int().check(z.minimum(1), z.maximum(MAX_STOCK)) }))
      .check(z.minLength(1, 'Choose what to send back'), z.maxLength(MAX_CART_LINES)),
    key: z.optional(text('Idempotency-Key', 200)),
  }),
  headers: { key: 'idempotency-key' },
  output: z.extend(Acknowledgement, { returnId: z.string() }),
  isForCustomers: true,
})
export type ReturnRequest = z.output<(typeof requestReturn)['input']>

const returnId = Id('returnId')

/**
 * Adds pictures to an open cancellation or return, up to `MAX_RETURN_PICTURES`. Sent as multipart: `returnId` first,
 * then the pictures in the field `files`. The size limits are those of the chat. A file that is sent again under the
 * same name is stored once.
 */
export const addReturnPictures = endpoint({
  method: 'POST',
  path: '/home/customer/return-pictures',
  input: z.object({ returnId }),
  output: Acknowledgement,
  isForCustomers: true,
  isMultipart: true,
})

/** Withdraws a request. Not possible once the shop has received the goods. */
export const withdrawReturn = endpoint({
  method: 'PUT',
  path: '/home/customer/return/:returnId/withdraw',
  input: z.object({ returnId }),
  output: Acknowledgement,
  isForCustomers: true,
})

/** Reports that the goods of an approved return were sent back; `tracking` is the carrier's number, if any. */
export const sendReturnBack = endpoint({
  method: 'PUT',
  path: '/home/customer/return/:returnId/sent-back',
  input: z.object({
    returnId,
    tracking: z._default(
      plain('tracking').check(z.trim(), z.maxLength(TRACKING_LENGTH, `At most ${TRACKING_LENGTH} characters`)),
      '',
    ),
  }),
  output: Acknowledgement,
  isForCustomers: true,
})

/** Asks the marketplace's operator to decide about a return that the shop declined or did not handle in time. */
export const escalateReturn = endpoint({
  method: 'PUT',
  path: '/home/customer/return/:returnId/escalate',
  input: z.object({ returnId }),
  output: Acknowledgement,
  isForCustomers: true,
})

/** A line of a seller's part as it was paid. */
interface PaidLine {
  id: string
  quantity: number
  unitCents: number
}

/** Units by the id of their line. */
export type LineUnits = ReadonlyMap<string, number>

/**
 * The refund for `units` of a seller's part, in cents: the prices paid for them and, with the last unit of the part,
 * `shippingCents`. `refunded` are the units that were refunded before.
 */
export function refundOf(
  lines: readonly PaidLine[],
  units: LineUnits,
  { refunded, shippingCents }: { refunded?: LineUnits; shippingCents: number },
): { itemsCents: number; shippingCents: number } {
  const isAllRefunded = lines.every(({ id, quantity }) => (units.get(id) ?? 0) + (refunded?.get(id) ?? 0) === quantity)
  return {
    itemsCents: lines.reduce((sum, { id, unitCents }) => sum + (units.get(id) ?? 0) * unitCents, 0),
    shippingCents: isAllRefunded ? shippingCents : 0,
  }
}
