import { sql } from 'drizzle-orm'
import { LOWEST_PRICE_DAYS } from '#contract/rules.ts'
import type { Db, Tx } from '../db/types.ts'
import { variantPrices, variants } from '../db/schema.ts'

const DAYS = sql.raw(`interval '${LOWEST_PRICE_DAYS} days'`)

/**
 * SQL for the lowest price of a variant in the 30 days before its current price; null without an earlier price or a
 * shown discount. EU Directive 98/6/EC, article 6a, requires shops to show it beside a reduced price.
 */
export const lowestPrice = sql<number | null>`case when ${variants.finalCents} < ${variants.priceCents} then (
  select min(final_cents) from (
    select final_cents, lead(since) over (order by since) as until, max(since) over () as latest
    from ${variantPrices} where variant_id = ${variants.id}
  ) price where until > latest - ${DAYS}
) end`

/** Deletes the prices that no page needs: those that ended more than 30 days before the current price began. */
export async function prunePrices(db: Db | Tx): Promise<void> {
  await db.execute(sql`
    delete from ${variantPrices} old using (
      select variant_id, since, lead(since) over (partition by variant_id order by since) as until,
        max(since) over (partition by variant_id) as latest
      from ${variantPrices}
    ) price
    where old.variant_id = price.variant_id and old.since = price.since and until <= latest - ${DAYS}
  `)
}
