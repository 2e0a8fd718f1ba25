import { eq, sql } from 'drizzle-orm'
import { orderLines, orders, paymentAttempts, sellerOrders } from '#server/db/schema.ts'
import type { Database, Db } from '#server/db/types.ts'
import { findLateRefunds } from '#server/payments/doubtful-payments.ts'
import { JOBS_SCHEMA } from '#server/platform/jobs.ts'

interface Count {
  labels: Record<string, string>
  count: number
}

export type Figure = 'orders' | 'payments' | 'jobs' | 'heldUnits' | 'lateRefunds'

const count = sql<number>`count(*)::float8`

/** The functions that count for the whole shop: every process gets the same. */
export const COUNTS: Record<Figure, (database: Pick<Database, 'db' | 'unhurried'>) => Promise<Count[]>> = {
  // Whole tables: in a large shop, longer than a statement may take.
  orders: ({ unhurried }) => unhurried(countOrders),
  payments: ({ unhurried }) => unhurried(countPayments),
  jobs: ({ db }) => countJobs(db),
  heldUnits: ({ db }) => countHeldUnits(db),
  lateRefunds: async ({ db }) => [{ labels: {}, count: (await findLateRefunds(db)).length }],
}

async function countOrders(db: Db): Promise<Count[]> {
  const rows = await db.select({ status: orders.status, count }).from(orders).groupBy(orders.status)
  return rows.map(({ status, count }) => ({ labels: { status }, count }))
}

async function countPayments(db: Db): Promise<Count[]> {
  const { status } = paymentAttempts
  const rows = await db.select({ status, count }).from(paymentAttempts).groupBy(status)
  return rows.map(({ status, count }) => ({ labels: { status }, count }))
}

async function countHeldUnits(db: Db): Promise<Count[]> {
  const [held] = await db
    .select({ units: sql<number>`coalesce(sum(${orderLines.quantity}), 0)::float8` })
    .from(orders)
    .innerJoin(sellerOrders, eq(sellerOrders.orderId, orders.id))
    .innerJoin(orderLines, eq(orderLines.sellerOrderId, sellerOrders.id))
    .where(eq(orders.stockState, 'held'))
  return [{ labels: {}, count: held?.units ?? 0 }]
}

async function countJobs(db: Db): Promise<Count[]> {
  const { rows: tables } = await db.execute<{ is_there: boolean }>(
    sql`select to_regclass(${`${JOBS_SCHEMA}.job`}) is not null as is_there`,
  )
  if (!tables[0]?.is_there) return []
  const { rows } = await db.execute<{ job: string; state: string; count: number }>(sql`
    select name as job, case state::text when 'created' then 'waiting' else state::text end as state, ${count} as count
    from ${sql.identifier(JOBS_SCHEMA)}.job
    where state::text in ('created', 'retry', 'active', 'failed') and name not like E'\\\\_\\\\_%' group by 1, 2`)
  return rows.map(({ job, state, count }) => ({ labels: { job, state }, count }))
}
