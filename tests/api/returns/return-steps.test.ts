import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test, vi } from 'vitest'
import type { ReturnKind, ReturnStatus } from '#contract/returns.ts'
import { auditEvents, returns } from '#server/db/schema.ts'
import { packOrder } from '#server/orders/deliveries.ts'
import { moveReturn } from '#server/returns/moving.ts'
import { ACTORS, type ReturnEvent, TRANSITIONS } from '#server/returns/transitions.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { subjectOf } from '#tests/support/provider/letters.ts'
import { openMugShops } from '#tests/support/provider/mug-shops.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const shop = await startProvider({ limits: 'placeOrder=1000/1m,returns=1000/1m' })
const { db, jobs, customer, close } = shop
afterAll(close)
const buyMugs = openMugShops(shop)

const ALL = (['cancellation', 'return'] as const).flatMap(kind => {
  const moves = Object.entries(TRANSITIONS[kind]).flatMap(([event, nexts]) =>
    Object.entries(nexts).map(([from, to]) => ({
      kind,
      event: event as ReturnEvent,
      from: from as ReturnStatus,
      to,
    })),
  )
  const reached = new Set<ReturnStatus>(['requested'])
  for (const _ of moves) for (const { from, to } of moves) if (reached.has(from)) reached.add(to)
  // The refund is paid by a job, once it is requested.
  return moves.filter(({ event, from }) => reached.has(from) && event !== 'pay')
})

/** A request in a status that was reached without telling anybody. */
async function inStatus(kind: ReturnKind, status: ReturnStatus) {
  const ada = await customer()
  const { orderId, deliver, ask, mails } = await buyMugs(ada)
  await (kind === 'return' ? deliver() : packOrder(db, orderId))
  const returnId = await ask(kind)
  await db.update(returns).set({ status }).where(eq(returns.id, returnId))
  const told = async () => {
    const { toShop, toCustomer } = await mails()
    const { order } = await ada.api.getOrder({ orderId })
    const { notifications } = await ada.api.getNotifications({})
    const audited = await db.select().from(auditEvents).orderBy(auditEvents.id)
    return {
      shopMails: toShop.map(subjectOf),
      customerMails: toCustomer.map(subjectOf),
      notifications: notifications.map(({ title }) => title),
      timeline: order.timeline.map(({ text }) => text),
      audit: audited.flatMap(({ event, details }) => (details['returnId'] === returnId ? [event] : [])),
    }
  }
  return { returnId, told, list: () => ada.api.getReturns({ orderId }) }
}

type Told = Awaited<ReturnType<Awaited<ReturnType<typeof inStatus>>['told']>>

/** The entries of `after` that `before` lacks. */
function added(before: Told, after: Told): Told {
  const news = (name: keyof Told) => {
    const left = [...before[name]]
    return after[name].filter(each => {
      const at = left.indexOf(each)
      if (at >= 0) left.splice(at, 1)
      return at < 0
    })
  }
  return Object.fromEntries(Object.keys(after).map(name => [name, news(name as keyof Told)])) as Told
}

describe('each step of a cancellation or return is in the timeline and the audit, and everyone is notified but the one who took it', () => {
  test.each(ALL)('$kind: $event from $from to $to', async ({ kind, event, from, to }) => {
    const { returnId, told, list } = await inStatus(kind, from)
    const before = await told()

    await moveReturn(db, jobs, returnId, { event, answer: 'Because.' })
    // The job that pays the refund completes it.
    const end = to === 'received' ? 'refunded' : to
    await vi.waitFor(async () => expect((await list()).returns[0]?.status).toBe(end), PATIENCE)

    const news = added(before, await told())
    expect(news.timeline).not.toEqual([])
    expect(news.audit).toEqual(to === end ? [`return_${event}`] : [`return_${event}`, 'return_pay'])
    const isCustomerTold = ACTORS[event] !== 'customer'
    const isShopTold = ACTORS[event] !== 'shop'
    expect(news.notifications.length > 0).toBe(isCustomerTold)
    expect(news.customerMails.length > 0).toBe(isCustomerTold)
    // A shop that has not made the step is told of it, and every shop of the paid refund.
    expect(news.shopMails).toHaveLength((isShopTold ? 1 : 0) + (to === end ? 0 : 1))
  })
})

test('a request is mailed to the shop, and is in the timeline and the audit', async () => {
  for (const kind of ['cancellation', 'return'] as const) {
    const { told } = await inStatus(kind, 'requested')

    const { shopMails, timeline, audit } = await told()
    expect(shopMails).toEqual([kind === 'return' ? 'A customer requested a return' : 'A customer asked to cancel'])
    expect(timeline.at(-1)).toMatch(/^You asked Clay/)
    expect(audit).toEqual(['return_request'])
  }
})
