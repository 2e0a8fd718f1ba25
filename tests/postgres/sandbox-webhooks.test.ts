import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { sandboxPayments } from '#server/db/schema.ts'
import { JOBS_SCHEMA } from '#server/platform/jobs.ts'
import { holdOpen, untilWaiting } from '#tests/support/faults/lock-waits.ts'
import { addShippable, orderOf } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, database, customer, request, close } = await startProvider()
afterAll(close)

test('a sandbox payment is settled when its webhook is due, even if its transaction had to wait', async () => {
  const ada = await customer()
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [await addShippable(db)]))
  const { reference } = await ada.api.startPayment({ orderId })
  let paying: ReturnType<typeof request> | undefined

  await holdOpen(database, async tx => {
    await tx.execute(sql`lock table ${sandboxPayments}`)
    paying = request('/api/payment/sandbox/pay', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ reference, method: 'mobilemoney', number: '254700000003' }),
    })
    await untilWaiting(db, 1)
  })

  expect(await (await paying!).json()).toEqual({ status: 'processing' })
  const [payment] = await db.select().from(sandboxPayments).where(eq(sandboxPayments.reference, reference))
  const { rows } = await db.execute<{ due: Date }>(sql`
    select max(start_after) as due from ${sql.identifier(JOBS_SCHEMA)}.job
    where name = 'sandboxWebhook' and data ->> 'reference' = ${reference}`)
  expect(payment!.settlesAt!.getTime()).toBeLessThanOrEqual(new Date(rows[0]!.due).getTime())
})
