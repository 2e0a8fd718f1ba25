import { type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { customType } from 'drizzle-orm/pg-core'
import type { ReturnStatus } from '#contract/returns.ts'

/** Who cancelled an order; `time`: it was not paid in time. */
export type CancelledBy = 'customer' | 'time' | 'operator'

/**
 * A step of an order; equal steps are recorded only once. Steps that can happen several times, such as failed payments,
 * differ in the attempt, seller's part or parcel that they name.
 */
export type Step =
  | { kind: 'placed' | 'processing' | 'paid' | 'revived' }
  | {
      kind:
        'lapsed' | 'paid_again' | 'paid_wrong' | 'mismatch' | 'disputed' | 'returned' | 'refund_pending' | 'refunded'
      attemptId: string
    }
  /** `missingCents`: what has come back of all refunds of the attempt so far. Older steps lack it. */
  | { kind: 'refund_bounced'; attemptId: string; missingCents?: number }
  /** `lostCents`: what the shop has lost in all disputes of the attempt so far. */
  | { kind: 'dispute_lost'; attemptId: string; lostCents: number }
  /** `round` counts the failures of an attempt from the second on: the customer may try again in the same modal. */
  | { kind: 'failed'; attemptId: string; round?: number }
  | { kind: 'part_refund_pending' | 'part_refunded' | 'part_returned'; refundId: string; amountCents: number }
  /** `round` is 2 for a status that the return enters again; a return can be escalated twice. */
  | { kind: 'return' | 'cancellation'; status: ReturnStatus; returnId: string; sellerOrderId: string; round?: 2 }
  /** A seller's whole part. */
  | { kind: 'shipped' | 'delivered' | 'packed'; sellerOrderId: string }
  /** A parcel after which a part is not yet completely sent or arrived. */
  | { kind: 'parcel_sent' | 'parcel_arrived'; parcelId: string }
  | { kind: 'cancelled'; by: CancelledBy }

export type StepKind = Step['kind']

type Payload =
  | 'attemptId'
  | 'sellerOrderId'
  | 'by'
  | 'refundId'
  | 'amountCents'
  | 'missingCents'
  | 'lostCents'
  | 'status'
  | 'returnId'
  | 'parcelId'
  | 'round'

const REFUND: Payload[] = ['refundId', 'amountCents']
const RETURN: Payload[] = ['status', 'returnId', 'sellerOrderId', 'round']
const NUMBERS: Payload[] = ['amountCents', 'missingCents', 'lostCents', 'round']
const PAYLOADS: Record<StepKind, Payload[]> = {
  placed: [],
  processing: [],
  paid: [],
  revived: [],
  failed: ['attemptId', 'round'],
  lapsed: ['attemptId'],
  paid_again: ['attemptId'],
  paid_wrong: ['attemptId'],
  mismatch: ['attemptId'],
  disputed: ['attemptId'],
  returned: ['attemptId'],
  refund_pending: ['attemptId'],
  refunded: ['attemptId'],
  refund_bounced: ['attemptId', 'missingCents'],
  dispute_lost: ['attemptId', 'lostCents'],
  part_refund_pending: REFUND,
  part_refunded: REFUND,
  part_returned: REFUND,
  return: RETURN,
  cancellation: RETURN,
  packed: ['sellerOrderId'],
  shipped: ['sellerOrderId'],
  delivered: ['sellerOrderId'],
  parcel_sent: ['parcelId'],
  parcel_arrived: ['parcelId'],
  cancelled: ['by'],
}

/** Encodes a step as it is stored: its kind and its payload, separated by colons. */
export function encodeStep(step: Step): string {
  const payload = new Map<string, string | number>(Object.entries(step))
  return [step.kind, ...PAYLOADS[step.kind].flatMap(name => payload.get(name) ?? [])].join(':')
}

/** Decodes a stored step. Keeps only the kind of one that a newer version has stored, so that orders stay readable. */
export function decodeStep(stored: string): Step {
  const [kind, ...values] = stored.split(':') as [StepKind, ...string[]]
  const names = (PAYLOADS as Partial<typeof PAYLOADS>)[kind] ?? []
  const payload = names.flatMap((name, at) => {
    const value = values[at]
    return value === undefined ? [] : [[name, NUMBERS.includes(name) ? Number(value) : value]]
  })
  return { kind, ...Object.fromEntries(payload) } as Step
}

/** SQL for a stored step of this kind, with its payload, or the first value of it, from a column. */
export function storedStep(kind: StepKind, payload: SQLWrapper): SQL {
  return sql`${kind}::text || ':' || ${payload}`
}

export const orderStep = customType<{ data: Step; driverData: string }>({
  dataType: () => 'text',
  toDriver: encodeStep,
  fromDriver: decodeStep,
})
