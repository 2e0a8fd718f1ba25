import { eq } from 'drizzle-orm'
import * as fc from 'fast-check'
import { afterAll, expect, test, vi } from 'vitest'
import { orderLines, payments } from '#server/db/schema.ts'
import { packOrder } from '#server/orders/deliveries.ts'
import { moveReturn } from '#server/returns/moving.ts'
import { type ReturnEvent, TRANSITIONS } from '#server/returns/transitions.ts'
import { PATIENCE } from '#tests/support/faults/patience.ts'
import { rounds } from '#tests/support/faults/rounds.ts'
import { startReturningShop } from '#tests/support/provider/returning-shop.ts'

const { db, jobs, paid, check, close } = await startReturningShop()
afterAll(close)

test('whatever happens to an order’s returns, money and stock add up', { timeout: 300_000 }, async () => {
  const events = Object.keys(TRANSITIONS.return) as ReturnEvent[]
  const act = fc.oneof(
    fc.record({ name: fc.constantFrom('Mug', 'Bowl'), quantity: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ event: fc.constantFrom(...events), isRestocked: fc.boolean(), pick: fc.nat(5) }),
    fc.constantFrom('pack' as const, 'deliver' as const),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 6, maxLength: 24 }), async acts => {
      const { ask, list, orderId, deliver, read } = await paid()
      const unexpected: unknown[] = []
      for (const each of acts) {
        if (each === 'pack') await packOrder(db, orderId).catch(() => undefined)
        else if (each === 'deliver') await deliver().catch(() => undefined)
        else if ('name' in each) {
          await ask(each.name, each.quantity, 'cancellation').catch(() => undefined)
          await ask(each.name, each.quantity, 'return').catch(() => undefined)
        } else {
          const all = (await list()).returns
          const given = all[each.pick % Math.max(1, all.length)]
          if (!given) continue
          const next = TRANSITIONS[given.kind][each.event][given.status]
          const moved = await moveReturn(db, jobs, given.id, each).catch(() => undefined)
          // A cancellation of what is sent off meanwhile is rejected.
          if (moved !== next && (next !== 'received' || moved !== undefined)) unexpected.push([each.event, moved, next])
        }
        await check()
      }
      expect(unexpected).toEqual([])
      const { order } = await read()
      const done = (await list()).returns.filter(({ status }) => status === 'received' || status === 'refunded')
      const wanted = done.reduce((sum, { refundCents }) => sum + refundCents, 0)
      expect(wanted).toBeLessThanOrEqual(order.priceCents)
      await vi.waitFor(async () => {
        const rows = await db.select().from(payments).where(eq(payments.orderId, orderId))
        const paidBack = rows.reduce((sum, { kind, amountCents }) => sum + (kind === 'refund' ? amountCents : 0), 0)
        expect(paidBack).toBe(wanted)
      }, PATIENCE)
    }),
    { numRuns: rounds(10, 300) },
  )
  expect(await db.$count(orderLines)).toBeGreaterThan(0)
})
