import { eq } from 'drizzle-orm'
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { orders, paymentAttempts, payments } from '#server/db/schema.ts'
import { cancelByOperator, refundOrder, releaseExpired } from '#server/orders/cancelling.ts'
import { ATTEMPT_TRANSITIONS, PAYMENT_TRANSITIONS } from '#server/orders/payment-states.ts'
import { payRefunds } from '#server/payments/refund-paying.ts'
import { expireAttempt, settle } from '#server/payments/settling.ts'
import { ServiceError } from '#server/platform/errors.ts'
import { stockOf } from '#tests/support/catalogue/catalogue.ts'
import { rounds } from '#tests/support/rounds.ts'
import { addAttempt, addShippable, assertInvariants, orderOf, reportOf } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const limits = ['placeOrder', 'ordersPerDay', 'api'].map(name => `${name}=1000000/1m`).join(',')
const { db, jobs, customer, paymentContext, close } = await startProvider({ limits })
afterAll(close)
const ada = await customer()

const STOCK = 5
const UNITS = 2

const attempt = fc.nat(2)
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ what: fc.constant('start' as const) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      what: fc.constant('report' as const),
      attempt,
      status: fc.constantFrom('processing' as const, 'failed' as const, 'succeeded' as const),
      isShort: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('stopWaiting' as const), attempt }) },
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constantFrom('cancel', 'runOut', 'operatorCancels', 'refund', 'payRefunds') }),
  },
)

/** Whether one status can follow another, with any number of steps. */
function leadsTo<Status extends string>(
  transitions: Record<Status, readonly Status[]>,
  from: Status,
  to: Status,
  seen = new Set<Status>(),
): boolean {
  if (from === to) return true
  if (seen.has(from)) return false
  seen.add(from)
  return transitions[from].some(next => leadsTo(transitions, next, to, seen))
}

test('whatever is reported of an order’s payments, it is paid once and everything else goes back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async steps => {
      const product = await addShippable(db, { stock: STOCK })
      const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [{ product, quantity: UNITS }]))
      const { order } = await ada.api.getOrder({ orderId })
      const attempts = [await addAttempt(db, order)]
      /** What customers have paid, by attempt. */
      const charged = new Map<string, number>()
      const isOf = eq(paymentAttempts.orderId, orderId)
      const read = async () => {
        const [stored] = await db.select().from(orders).where(eq(orders.id, orderId))
        const rows = await db.select().from(paymentAttempts).where(isOf)
        return { order: stored!, attempts: new Map(rows.map(({ id, status }) => [id, status])) }
      }

      let before = await read()
      for (const each of steps) {
        await run(each).catch((error: unknown) => {
          if (!(error instanceof ServiceError)) throw error
        })
        const now = await read()
        expect(leadsTo(PAYMENT_TRANSITIONS, before.order.paymentStatus, now.order.paymentStatus)).toBe(true)
        for (const [id, status] of before.attempts)
          expect(leadsTo(ATTEMPT_TRANSITIONS, status, now.attempts.get(id)!)).toBe(true)
        const succeeded = [...now.attempts.values()].filter(status => status === 'succeeded')
        expect(succeeded).toHaveLength(now.order.paymentStatus === 'paid' ? 1 : 0)
        await assertInvariants(db)
        before = now
      }

      await payRefunds(paymentContext)
      const last = await read()
      const ledger = await db.select().from(payments).where(eq(payments.orderId, orderId))
      const kept = [...charged].filter(([id]) => last.attempts.get(id) === 'succeeded')
      const given = [...charged].filter(([id]) => last.attempts.get(id) === 'refunded')
      expect(kept.length + given.length).toBe(charged.size)
      const booked = (kind: string) =>
        new Map(ledger.flatMap(row => (row.kind === kind ? [[row.attemptId, row.amountCents] as const] : [])))
      expect(booked('charge')).toEqual(charged)
      expect(booked('refund')).toEqual(new Map(given))
      expect(await stockOf(db, product)).toBe(last.order.status === 'cancelled' ? STOCK : STOCK - UNITS)

      async function run(each: (typeof steps)[number]): Promise<unknown> {
        const meant = 'attempt' in each ? attempts[each.attempt % attempts.length]! : attempts[0]!
        switch (each.what) {
          case 'start':
            return attempts.push(await addAttempt(db, order))
          case 'report': {
            const { status, isShort } = each
            const amountCents = meant.amountCents - (isShort && status === 'succeeded' ? 1 : 0)
            if (status === 'succeeded' && !charged.has(meant.id)) charged.set(meant.id, amountCents)
            return settle(db, jobs, meant.id, reportOf(meant, { status, amountCents }))
          }
          case 'stopWaiting':
            return expireAttempt(db, meant.id)
          case 'cancel':
            return ada.api.cancelOrder({ orderId }).catch(() => undefined)
          case 'runOut':
            return releaseExpired(db, jobs, new Date(Date.now() + 48 * 3600_000))
          case 'operatorCancels':
            return cancelByOperator(db, jobs, orderId)
          case 'refund':
            return refundOrder(db, jobs, orderId)
          default:
            return payRefunds(paymentContext)
        }
      }
    }),
    { numRuns: rounds(20, 1000) },
  )
})
