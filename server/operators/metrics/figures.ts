import { eq, sql } from 'drizzle-orm'
import { orderLines, orders, paymentAttempts, sellerOrders } from '#server/db/schema.ts'
import type { Db } from '#server/db/types.ts'
import { JOBS_SCHEMA } from '#server/platform/jobs.ts'

interface Count {
  labels: Record<string, string>
  count: number
}

export interface Figures {
  orders: Count[]
  payments: Count[]
  jobs: Count[]
  heldUnits: number
}

const count = sql<number>`count(*)::float8`

/** Counts for the whole shop: every process returns the same. */
export async function countFigures(db: Db): Promise<Figures> {
  const [byStatus, byPayment, [held], jobs] = await Promise.all([
    db.select({ status: orders.status, count }).from(orders).groupBy(orders.status),
    db.select({ status: paymentAttempts.status, count }).from(paymentAttempts).groupBy(paymentAttempts.status),
    db
      .select({ units: sql<number>`coalesce(sum(${orderLines.quantity}), 0)::float8` })
      .from(orders)
      .innerJoin(sellerOrders, eq(sellerOrders.orderId, orders.id))
      .innerJoin(orderLines, eq(orderLines.sellerOrderId, sellerOrders.id))
      .where(eq(orders.stockState, 'held')),
    countJobs(db),
  ])
  return {
    orders: byStatus.map(({ status, count }) => ({ labels: { status }, count })),
    payments: byPayment.map(({ status, count }) => ({ labels: { status }, count })),
    jobs,
    heldUnits: held?.units ?? 0,
  }
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
