import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, test, vi } from 'vitest'
import type { ReturnStatus } from '#contract/returns.ts'
import { DAY_MS, RETURN_ANSWER_DAYS, RETURN_DAYS, RETURN_SEND_DAYS } from '#contract/rules.ts'
import { orderSteps, returns } from '#server/db/schema.ts'
import { refundOrder } from '#server/orders/cancelling.ts'
import { deliverOrder, packOrder, shipOrder } from '#server/orders/deliveries.ts'
import { payRefunds } from '#server/payments/refund-paying.ts'
import { JOBS_SCHEMA } from '#server/platform/jobs.ts'
import { moveDueReturns } from '#server/returns/due.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { startReturningShop } from '#tests/support/provider/returning-shop.ts'

const shop = await startReturningShop()
const { db, jobs, paid, check, close } = shop
afterAll(close)
const market = operatorOf(shop)

/** A request of which the customer and the shop do everything up to `status`. */
async function returnIn(status: ReturnStatus) {
  const order = await paid()
  await order.deliver()
  await order.ask('Bowl', 1, 'return')
  const { id: returnId } = await order.latest()
  if (status !== 'requested') await market('return', 'approve', returnId)
  if (status === 'sent_back') await order.ada.api.sendReturnBack({ returnId, tracking: '' })
  if (status === 'received') await market('return', 'received', returnId)
  return { ...order, returnId }
}

const endDeadline = (returnId: string) =>
  db
    .update(returns)
    .set({ dueAt: new Date(Date.now() - 1000) })
    .where(eq(returns.id, returnId))

/** A backup contains no jobs. */
const loseJobs = () => db.execute(sql`delete from ${sql.identifier(JOBS_SCHEMA)}.job`)

test.each<[ReturnStatus, number, ReturnStatus]>([
  ['requested', RETURN_ANSWER_DAYS, 'unanswered'],
  ['approved', RETURN_SEND_DAYS, 'lapsed'],
  ['sent_back', RETURN_SEND_DAYS, 'unconfirmed'],
])('a return that stays %s for %i days becomes %s, once', async (status, days, next) => {
  const { returnId, latest, orderId } = await returnIn(status)
  const { dueAt = '' } = await latest()
  expect(Math.floor((Date.parse(dueAt) - Date.now()) / DAY_MS)).toBe(days)
  // Pages and mails name only the day.
  expect(dueAt).toMatch(/T23:59:59.999Z$/)
  await moveDueReturns(db, jobs)
  expect((await latest()).status).toBe(status)

  await endDeadline(returnId)
  await Promise.all([1, 2].map(() => moveDueReturns(db, jobs)))

  expect((await latest()).status).toBe(next)
  const steps = await db.select().from(orderSteps).where(eq(orderSteps.orderId, orderId))
  expect(steps.filter(({ step }) => 'returnId' in step && step.status === next)).toHaveLength(1)
})

test('what has arrived can be returned until the end of the thirtieth day after it', async () => {
  const order = await paid()
  await order.deliver()

  const { available } = await order.list()

  const lastDay = new Date(Date.now() + RETURN_DAYS * DAY_MS).toISOString().slice(0, 10)
  expect(available).toMatchObject([{ until: `${lastDay}T23:59:59.999Z` }, { until: `${lastDay}T23:59:59.999Z` }])
})

test('a return that is approved at the end of the shop’s deadline does not lapse', async () => {
  const { returnId, latest } = await returnIn('requested')
  await endDeadline(returnId)

  await Promise.all([moveDueReturns(db, jobs), market('return', 'approve', returnId)])

  expect((await latest()).status).toBe('approved')
})

test.each<[ReturnStatus]>([['requested'], ['unanswered'], ['declined'], ['escalated']])(
  'a cancellation that is %s when the shop ships came too late, and the products can be returned',
  async status => {
    const { ada, ask, latest, list, orderId, titles } = await paid()
    await packOrder(db, orderId)
    await ask('Mug', 3, 'cancellation')
    const { id: returnId } = await latest()
    await endDeadline(returnId)
    if (status !== 'requested') await moveDueReturns(db, jobs)
    if (status === 'declined') await market('return', 'decline', returnId, '--because', 'It is packed.')
    if (status === 'escalated') await ada.api.escalateReturn({ returnId })
    expect((await latest()).status).toBe(status)

    await shipOrder(db, jobs, orderId)
    await Promise.all([1, 2].map(() => moveDueReturns(db, jobs)))

    expect((await latest()).status).toBe('lapsed')
    const tooLate = (await titles()).filter(title => title === 'Your cancellation came too late')
    expect(tooLate).toHaveLength(1)
    await expect(ada.api.escalateReturn({ returnId })).rejects.toMatchObject({ status: 422 })
    await deliverOrder(db, orderId)
    expect((await list()).available[0]).toMatchObject({ kind: 'return', lines: [{ name: 'Mug', quantity: 3 }] })
    await check()
  },
)

test('the operator can allow no cancellation of what has been sent, and learns that it ends', async () => {
  const { ada, ask, latest, orderId } = await paid()
  await packOrder(db, orderId)
  await ask('Mug', 3, 'cancellation')
  const { id: returnId } = await latest()
  await market('return', 'decline', returnId, '--because', 'It is packed.')
  await ada.api.escalateReturn({ returnId })
  await shipOrder(db, jobs, orderId)

  expect((await market('return', 'decide', returnId, 'allow')).err).toBe(
    'This part of the order has been sent: the cancellation ends within five minutes\n',
  )
})

test('a cancellation that was declined before its part arrived causes no second notification', async () => {
  const { ask, latest, orderId, titles } = await paid()
  await packOrder(db, orderId)
  await ask('Mug', 3, 'cancellation')
  await market('return', 'decline', (await latest()).id, '--because', 'It is packed.')
  await shipOrder(db, jobs, orderId)
  await deliverOrder(db, orderId)

  await moveDueReturns(db, jobs)

  expect((await latest()).status).toBe('declined')
  expect(await titles()).not.toContain('Your cancellation came too late')
})

test('a cancellation is still undecided when another shop ships its part', async () => {
  const { ask, latest, orderId, bowl } = await paid()
  await packOrder(db, orderId)
  await ask('Mug', 3, 'cancellation')

  await shipOrder(db, jobs, orderId, { shop: bowl.sellerId })
  await moveDueReturns(db, jobs)

  expect((await latest()).status).toBe('requested')
})

test('returns continue after a backup was restored, which contains no jobs', async () => {
  const received = await returnIn('received')
  const ended = await returnIn('approved')
  await refundOrder(db, jobs, ended.orderId)
  await loseJobs()

  await payRefunds(shop.paymentContext)
  await loseJobs()
  // A job that had begun may still be paying the refund.
  await vi.waitFor(async () => {
    await moveDueReturns(db, jobs)
    expect((await received.latest()).status).toBe('refunded')
  }, PATIENCE)

  expect((await ended.latest()).status).toBe('closed')
  await check()
})
