import { eq } from 'drizzle-orm'
import * as fc from 'fast-check'
import { afterAll, expect, test, vi } from 'vitest'
import { payments } from '#server/db/schema.ts'
import { refundOrder } from '#server/orders/cancelling.ts'
import { deliverOrder, packOrder, shipOrder } from '#server/orders/deliveries.ts'
import { refundPart } from '#server/payments/part-refunds.ts'
import { payRefunds } from '#server/payments/refund-paying.ts'
import { moveReturn } from '#server/returns/moving.ts'
import { type ReturnEvent, TRANSITIONS } from '#server/returns/transitions.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { rounds } from '#tests/support/rounds.ts'
import { startReturningShop } from '#tests/support/provider/returning-shop.ts'

const { db, jobs, paid, check, close, paymentContext } = await startReturningShop()
afterAll(close)

/** The events of people and deadlines; jobs pay and close. */
const EVENTS = (Object.keys(TRANSITIONS.return) as ReturnEvent[]).filter(event => event !== 'pay' && event !== 'close')
const name = fc.constantFrom('Mug', 'Bowl')
const quantity = fc.integer({ min: 1, max: 3 })
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constant('ask' as const), name, quantity }) },
  {
    weight: 8,
    arbitrary: fc.record({
      what: fc.constant('move' as const),
      event: fc.constantFrom(...EVENTS),
      isRestocked: fc.boolean(),
      pick: fc.nat(5),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('ship' as const), name, quantity }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('pack' as const) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('deliver' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('amount' as const), cents: fc.integer({ min: 1, max: 3000 }) }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('refund' as const) }) },
)

// The ten thousand histories without a database are in tests/unit/server/returns.
test(
  'whatever happens to an order’s returns, money and stock add up',
  { timeout: rounds(300_000, 1_800_000) },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 24 }), async steps => {
        const { ask, list, orderId, read } = await paid()
        const unexpected: unknown[] = []
        let byHandCents = 0
        const attempt = (work: Promise<unknown>) => work.catch(() => undefined)
        for (const each of steps) {
          if (each.what === 'pack') await attempt(packOrder(db, orderId))
          else if (each.what === 'deliver') await attempt(deliverOrder(db, orderId))
          else if (each.what === 'ship')
            await attempt(shipOrder(db, jobs, orderId, { items: [{ name: each.name, quantity: each.quantity }] }))
          else if (each.what === 'refund') await attempt(refundOrder(db, jobs, orderId))
          else if (each.what === 'amount')
            byHandCents += await refundPart(db, jobs, orderId, each.cents).then(
              () => each.cents,
              () => 0,
            )
          else if (each.what === 'ask') {
            await attempt(ask(each.name, each.quantity, 'cancellation'))
            await attempt(ask(each.name, each.quantity, 'return'))
          } else {
            const all = (await list()).returns
            const chosen = all[each.pick % Math.max(1, all.length)]
            if (!chosen) continue
            const next = TRANSITIONS[chosen.kind][each.event][chosen.status]
            const moved = await moveReturn(db, jobs, chosen.id, each).catch(() => undefined)
            // What was sent back cannot be allowed. A cancellation of what is sent off meanwhile is rejected; jobs pay
            // refunds and close returns meanwhile.
            const isLater = (await list()).returns.find(({ id }) => id === chosen.id)?.status !== chosen.status
            const isRefused = each.event === 'allow' || next === 'received'
            // A customer who withdraws or sends back twice hears the same as the first time.
            const isRepeated = next === undefined && moved === chosen.status
            if (moved !== next && !isRefused && !isRepeated && !isLater) unexpected.push([each.event, moved, next])
          }
          await check()
        }
        expect(unexpected).toEqual([])
        const { order } = await read()
        await payRefunds(paymentContext)
        await vi.waitFor(async () => {
          const { returns } = await list()
          const done = returns.filter(({ status }) => status === 'received' || status === 'refunded')
          const wanted = byHandCents + done.reduce((sum, { refundCents }) => sum + refundCents, 0)
          const isAll = order.paymentStatus !== 'paid'
          const rows = await db.select().from(payments).where(eq(payments.orderId, orderId))
          const paidBack = rows.reduce((sum, { kind, amountCents }) => sum + (kind === 'refund' ? amountCents : 0), 0)
          expect(paidBack).toBe(isAll ? order.priceCents : Math.min(wanted, order.priceCents))
        }, PATIENCE)
        await check()
      }),
      { numRuns: rounds(10, 300) },
    )
  },
)
