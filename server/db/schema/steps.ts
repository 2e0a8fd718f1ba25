import { type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { customType } from 'drizzle-orm/pg-core'

/** Who ended an order; `time`: it was not paid in time. */
export type CancelledBy = 'customer' | 'time' | 'operator'

/**
 * A step of an order, recorded once. Steps that can happen several times, such as failed payments, differ in the attempt
 * or seller's part that they name.
 */
export type Step =
  | { kind: 'placed' | 'processing' | 'paid' | 'revived' }
  | {
      kind:
        | 'failed'
        | 'lapsed'
        | 'paid_again'
        | 'paid_wrong'
        | 'mismatch'
        | 'disputed'
        | 'returned'
        | 'refund_pending'
        | 'refunded'
      attemptId: string
    }
  | { kind: 'shipped' | 'delivered'; sellerOrderId: string }
  | { kind: 'cancelled'; by: CancelledBy }

export type StepKind = Step['kind']

const PAYLOADS: Record<StepKind, 'attemptId' | 'sellerOrderId' | 'by' | null> = {
  placed: null,
  processing: null,
  paid: null,
  revived: null,
  failed: 'attemptId',
  lapsed: 'attemptId',
  paid_again: 'attemptId',
  paid_wrong: 'attemptId',
  mismatch: 'attemptId',
  disputed: 'attemptId',
  returned: 'attemptId',
  refund_pending: 'attemptId',
  refunded: 'attemptId',
  shipped: 'sellerOrderId',
  delivered: 'sellerOrderId',
  cancelled: 'by',
}

/** Encodes a step as it is stored: its kind and, after a colon, its payload. */
export function encodeStep({ kind, ...payload }: Step): string {
  return [kind, ...Object.values(payload)].join(':')
}

/** Decodes a stored step. */
export function decodeStep(stored: string): Step {
  const [kind, payload] = stored.split(':') as [StepKind, string | undefined]
  const name = PAYLOADS[kind]
  return (name ? { kind, [name]: payload } : { kind }) as Step
}

/** A step of this kind as it is stored, with its payload from a column. */
export function storedStep(kind: StepKind, payload: SQLWrapper): SQL {
  return sql`${kind}::text || ':' || ${payload}`
}

export const orderStep = customType<{ data: Step; driverData: string }>({
  dataType: () => 'text',
  toDriver: encodeStep,
  fromDriver: decodeStep,
})
