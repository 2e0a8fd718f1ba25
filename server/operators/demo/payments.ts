import { randomBytes } from 'node:crypto'
import type { orders, orderSteps, paymentAttempts, payments, sandboxPayments } from '#server/db/schema.ts'
import { demoId } from './rows.ts'

const SECRET_BYTES = 24
const PAID_WITH = { kind: 'card', ending: '4242' } as const

interface PaymentRows {
  attempts: (typeof paymentAttempts.$inferInsert)[]
  payments: (typeof payments.$inferInsert)[]
  sandboxPayments: (typeof sandboxPayments.$inferInsert)[]
}

interface Purchases {
  orders: (typeof orders.$inferInsert)[]
  steps: (typeof orderSteps.$inferInsert)[]
}

export const attemptIdOf = (orderId: string) => demoId('attempt', orderId)

/** The payments of the customer's orders, made in the sandbox: they can be refunded there like any other. */
export function paymentRows({ orders, steps }: Purchases): PaymentRows {
  const rows: PaymentRows = { attempts: [], payments: [], sandboxPayments: [] }
  for (const { id, priceCents, paidAt } of orders) {
    if (!paidAt) continue
    const orderId = id!
    const attemptId = attemptIdOf(orderId)
    const refundedAt = steps.find(each => each.orderId === orderId && each.step.kind === 'refunded')?.at
    const payment = {
      reference: demoId('payment', orderId),
      amountCents: priceCents,
      currency: 'USD',
      createdAt: paidAt,
    }
    const entry = { orderId, attemptId, amountCents: priceCents, currency: 'USD' }
    rows.attempts.push({
      ...payment,
      id: attemptId,
      orderId,
      provider: 'sandbox',
      clientSecret: randomBytes(SECRET_BYTES).toString('base64url'),
      status: refundedAt ? 'refunded' : 'succeeded',
    })
    rows.payments.push({
      ...entry,
      id: demoId('charge', orderId),
      kind: 'charge',
      paidWith: PAID_WITH,
      createdAt: paidAt,
    })
    if (refundedAt)
      rows.payments.push({ ...entry, id: demoId('refund', orderId), kind: 'refund', createdAt: refundedAt })
    rows.sandboxPayments.push({
      ...payment,
      status: 'succeeded',
      paidWith: PAID_WITH,
      tries: 1,
      refundedAt,
      refundedCents: refundedAt ? priceCents : 0,
    })
  }
  return rows
}
