import { and, eq, sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import type { ReturnStatus } from '#contract/returns.ts'
import { RETURN_ANSWER_DAYS, RETURN_SEND_DAYS } from '#contract/rules.ts'
import { orderSteps, returns } from '#server/db/schema.ts'
import { JOBS_SCHEMA } from '#server/platform/jobs.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { startReturningShop } from '#tests/support/provider/returning-shop.ts'

const shop = await startReturningShop()
const { db, paid, close } = shop
afterAll(close)
const market = operatorOf(shop)
const JOB = sql`${sql.identifier(JOBS_SCHEMA)}.job`

/** A request of which the customer and the shop do everything up to `status`. */
async function returnIn(status: ReturnStatus) {
  const order = await paid()
  await order.deliver()
  await order.ask('Bowl', 1, 'return')
  const { id: returnId } = await order.latest()
  if (status !== 'requested') await market('return', 'approve', returnId)
  if (status === 'sent_back') await order.ada.api.sendReturnBack({ returnId, tracking: '' })
  return { ...order, returnId, isIt: sql`name = 'returnDue' and data->>'returnId' = ${returnId}` }
}

test.each<[ReturnStatus, number, ReturnStatus]>([
  ['requested', RETURN_ANSWER_DAYS, 'unanswered'],
  ['approved', RETURN_SEND_DAYS, 'lapsed'],
  ['sent_back', RETURN_SEND_DAYS, 'unconfirmed'],
])('a return that stays %s for %i days becomes %s by a job, once', async (status, days, next) => {
  const { returnId, isIt, becomes, read } = await returnIn(status)
  const ofStatus = sql`${isIt} and data->>'status' = ${status}`
  const { rows } = await db.execute<{ days: number }>(
    sql`select round(extract(epoch from start_after - created_on) / 86400)::int as days from ${JOB} where ${ofStatus}`,
  )
  expect(rows).toEqual([{ days }])

  const past = new Date(Date.now() - 1000)
  await db.update(returns).set({ dueAt: past }).where(eq(returns.id, returnId))
  // Also those of earlier statuses, which must change nothing.
  await db.execute(sql`update ${JOB} set start_after = now() where ${isIt}`)

  await becomes(next)
  const { order } = await read()
  const steps = await db
    .select()
    .from(orderSteps)
    .where(and(eq(orderSteps.orderId, order._id)))
  const reached = steps.filter(({ step }) => 'returnId' in step && step.status === next)
  expect(reached).toHaveLength(1)
})
