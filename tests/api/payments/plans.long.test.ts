import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { paymentEvents } from '#server/db/schema.ts'
import { refreshStatistics } from '#server/db/statistics.ts'
import type { PaymentContext } from '#server/payments/context.ts'
import { receiveWebhook, sweepEvents } from '#server/payments/events.ts'
import type { PaymentProvider } from '#server/payments/providers/payment-provider.ts'
import { reconcile } from '#server/payments/reconciling.ts'
import { payRefund, payRefunds } from '#server/payments/refund-paying.ts'
import { startFlutterwave } from '#tests/support/fakes/fake-flutterwave.ts'
import { startPayingShop } from '#tests/support/provider/paying-shop.ts'
import { plansOfAll } from '../../../bench/explain.ts'

const { db, database, paymentContext, waiting, close } = await startPayingShop(startFlutterwave)
afterAll(close)

/** Enough rows that PostgreSQL prefers an index to a full scan. */
const PAYMENTS = 20_000
const DAYS = 60

/** Payments of the last 60 days, each last checked 0 to 29 whole days after it; forty have a pending refund. */
beforeAll(async () => {
  const { orderId } = await waiting()
  await database.unhurried(async unlimitedDb => {
    await unlimitedDb.execute(sql`
    insert into payment_attempts
      (id, order_id, provider, reference, client_secret, provider_id, amount_cents, status, refund_asked_at, created_at, asked_at)
    select at, ${orderId}, 'flutterwave', at, at, at, 100, case at % 1000 when 0 then 'refund_pending' else 'succeeded' end,
      now(), now() - age, now() - age + make_interval(days => least(29, extract(day from age)::int))
    from generate_series(1, ${PAYMENTS}::int) at, lateral (select at * interval '1 day' * ${DAYS / PAYMENTS}) ages (age)`)
    await unlimitedDb.execute(sql`
    insert into refunds (id, order_id, attempt_id, amount_cents, paid_at)
    select at, ${orderId}, at, 1, case at % 1000 when 1 then null else now() end
    from generate_series(1, ${PAYMENTS}::int) at`)
    await unlimitedDb.execute(sql`
    insert into payment_events (provider, event_id, reference, applied_at, created_at)
    select 'flutterwave', at, at, now(), now() - at * interval '1 day' * ${DAYS / PAYMENTS}
    from generate_series(1, ${PAYMENTS}::int) at`)
  })
  await refreshStatistics(database)
})

/** The plans of all statements that `run` sends outside of transactions. */
const plansOfRun = (run: (context: PaymentContext) => Promise<unknown>) =>
  plansOfAll(db, observed => run({ ...paymentContext, db: observed }), 'COSTS OFF')

const FULL_SCAN = /Seq Scan on (payment_attempts|refunds)/

test('pending refunds are found without reading all payments', async () => {
  const [owed = ''] = await plansOfRun(payRefunds)

  expect(owed).not.toMatch(FULL_SCAN)
  expect(owed).toContain('refunds_pending')
})

test('a refund is claimed without reading all payments', async () => {
  const [claimed = ''] = await plansOfRun(context => payRefund(context, '1000'))

  expect(claimed).not.toMatch(FULL_SCAN)
})

test('reconciling reads no table of payments as a whole', async () => {
  const plans = await plansOfRun(reconcile)

  expect(plans.length).toBeGreaterThanOrEqual(6)
  for (const plan of plans) expect(plan).not.toMatch(FULL_SCAN)
})

test('charges to check are read from an index in the sequence in which they are checked', async () => {
  const plans = await plansOfRun(reconcile)

  const inSequence = plans.filter(plan => plan.includes('using payment_attempts_checks'))
  expect(inSequence).not.toEqual([])
  for (const plan of inSequence) expect(plan).not.toContain('Sort')
})

test('the payment of a webhook is found by its id at the provider in an index', async () => {
  const provider: PaymentProvider = {
    ...(paymentContext.provider as PaymentProvider),
    readWebhook: () => ({
      eventId: 'dispute',
      providerId: 'of another system',
    }),
  }
  const receive = (context: PaymentContext) =>
    receiveWebhook({ ...context, provider }, 'flutterwave', new Headers(), new Uint8Array())
  const plans = await plansOfRun(receive)

  expect(plans).toHaveLength(1)
  expect(plans[0]).not.toMatch(FULL_SCAN)
})

test('old events are deleted in lots that are found in an index', async () => {
  const plans = await plansOfRun(context => sweepEvents(context.db))

  expect(plans.length).toBeGreaterThan(1)
  for (const plan of plans) expect(plan).toContain('Index Scan using payment_events_age')
  expect(await db.$count(paymentEvents, sql`created_at < now() - interval '31 days'`)).toBe(0)
})
