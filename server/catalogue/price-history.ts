import { sql } from 'drizzle-orm'
import { LOWEST_PRICE_DAYS } from '#contract/rules.ts'
import type { Db, Tx } from '../db/types.ts'
import { variantPrices, variants } from '../db/schema.ts'

const DAYS = sql.raw(`interval '${LOWEST_PRICE_DAYS} days'`)

/**
 * What the variant cost least in the 30 days before its price became the present one; null without an earlier price, or
 * without a discount that is shown. EU Directive 98/6/EC, article 6a, has shops name it beside a reduction.
 */
export const lowestPrice = sql<number | null>`case when ${variants.finalCents} < ${variants.priceCents} then (
  select min(final_cents) from (
    select final_cents, lead(since) over (order by since) as until, max(since) over () as latest
    from ${variantPrices} where variant_id = ${variants.id}
  ) price where until > latest - ${DAYS}
) end`

/** Deletes the prices that no page shows: those that ended more than 30 days before the present one began. */
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
