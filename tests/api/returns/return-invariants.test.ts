import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { orderLines, orderSteps, refunds, returnLines, returns, sellerOrders } from '#server/db/schema.ts'
import { checkInvariants } from '#server/orders/invariants.ts'
import { startReturningShop } from '#tests/support/provider/returning-shop.ts'

const { db, paid, close } = await startReturningShop()
afterAll(close)

/** An order of which two mugs are cancelled and refunded. */
async function cancelled() {
  const { ask, becomes, latest, orderId, ada } = await paid()
  await ask('Mug', 2, 'cancellation')
  await becomes('refunded')
  const { id, sellerOrderId, refundCents } = await latest()
  return { orderId, id, sellerOrderId, refundCents, ada }
}
type Cancelled = Awaited<ReturnType<typeof cancelled>>

const isIt = ({ id }: Cancelled) => eq(returns.id, id)
const linesOf = ({ id }: Cancelled) => eq(returnLines.returnId, id)

async function otherPart({ orderId, sellerOrderId }: Cancelled): Promise<string> {
  const parts = await db.select().from(sellerOrders).where(eq(sellerOrders.orderId, orderId))
  return parts.find(({ id }) => id !== sellerOrderId)!.id
}

test.each<[string, (it: Cancelled) => Promise<unknown>, RegExp]>([
  ['more units', it => db.update(returnLines).set({ quantity: 4 }).where(linesOf(it)), /more units of a line are canc/],
  [
    'another shop',
    async it =>
      db
        .update(returns)
        .set({ sellerOrderId: await otherPart(it) })
        .where(isIt(it)),
    /lines of another seller/,
  ],
  ['another sum', it => db.update(returns).set({ refundCents: 1 }).where(isIt(it)), /something else than its lines/],
  [
    'a refund without a reason',
    it => db.update(returns).set({ status: 'withdrawn' }).where(isIt(it)),
    /something else than its lines/,
  ],
  [
    'a refund twice',
    async it => {
      const [{ id: _id, refundId: _refundId, ...given } = {} as never] = await db.select().from(returns).where(isIt(it))
      await db.insert(returns).values({ ...given, refundCents: 9999 })
    },
    /goes back more than once/,
  ],
  ['a lost refund', it => db.update(returns).set({ refundId: 'lost' }).where(isIt(it)), /refund is none of its order/],
  [
    'a refund that is not paid',
    it => db.update(refunds).set({ paidAt: null }).where(eq(refunds.orderId, it.orderId)),
    /paid while the return waits/,
  ],
  [
    'a lost step',
    it => db.delete(orderSteps).where(eq(orderSteps.orderId, it.orderId)),
    /lacks the status of a return/,
  ],
  [
    'a deadline',
    it => db.update(returns).set({ dueAt: new Date() }).where(isIt(it)),
    /deadline in a status without one/,
  ],
  [
    'units that are not back',
    it => db.update(orderLines).set({ restocked: 1 }).where(eq(orderLines.sellerOrderId, it.sellerOrderId)),
    /fewer units of a line are back in stock/,
  ],
])('the invariant check finds a return with %s', async (_, spoil, finding) => {
  const it = await cancelled()
  const found = async () => (await checkInvariants(db)).filter(text => text.includes(it.orderId)).join('\n')
  expect(await found()).toBe('')

  await spoil(it)

  expect(await found()).toMatch(finding)
})
