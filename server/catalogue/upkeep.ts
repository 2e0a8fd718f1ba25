import { lt, sql } from 'drizzle-orm'
import type { Database, Db, Tx } from '../db/types.ts'
import {
  emailChanges,
  emailConfirmations,
  optionSets,
  orderLines,
  orders,
  passwordResets,
  products,
  reviews,
  searchWords,
  sellerOrders,
  sellers,
  sessions,
} from '../db/schema.ts'

/**
 * Counts the units of each product in paid orders of the last 90 days. Writes only changed counts, and purges the pages
 * whose order they change. Returns the number of changed products.
 */
export async function refreshUnitsSold(db: Db | Tx): Promise<number> {
  const { rows } = await db.execute<{ changed: number }>(sql`
    with sold as (
      select ${orderLines.productId} as id, least(sum(${orderLines.quantity}), 2147483647)::int as units
      from ${orders}
      join ${sellerOrders} on ${sellerOrders.orderId} = ${orders.id}
      join ${orderLines} on ${orderLines.sellerOrderId} = ${sellerOrders.id}
      where ${orders.paymentStatus} = 'paid' and ${orders.paidAt} >= now() - interval '90 days'
      group by ${orderLines.productId}
    ), differing as (
      select product.id, coalesce(sold.units, 0) as units
      from ${products} product left join sold on sold.id = product.id
      where product.units_sold <> coalesce(sold.units, 0)
    ), changed as (
      update ${products} set units_sold = differing.units from differing where ${products.id} = differing.id
      returning category, seller_id
    ), tags as (
      select 'category:' || category as tag from changed
      union select 'store:' || seller_id from changed
      union select unnest(array['products', 'home']) from changed
    )
    select (select count(*)::int from changed) as changed, (select count(tell_pages(tag)) from tags) as told
  `)
  return rows[0]?.changed ?? 0
}

/**
 * Updates the mean rating and review count of products from their visible reviews, and the ratings of their shops.
 * Purges the lists of shops, which show the number of ratings even where the mean stays the same.
 */
export async function rateProducts(db: Db | Tx, productIds: string[]): Promise<void> {
  if (productIds.length === 0) return
  const ids = sql`any (${sql.param(productIds)}::text[])`
  // Locks the shops, so that the next change counts this one.
  await db.execute(sql`
    select id from ${sellers} where id in (select seller_id from ${products} where id = ${ids})
    order by id for no key update
  `)
  await db.execute(sql`
    with rated as (
      update ${products} set rating = fresh.rating, rating_count = fresh.count
      from (
        select product.id, coalesce(round(avg(${reviews.rating}), 2), 0)::float8 as rating, count(${reviews.id})::int as count
        from ${products} product left join ${reviews} on ${reviews.productId} = product.id and not ${reviews.isHidden}
        where product.id = ${ids}
        group by product.id
      ) fresh
      where ${products.id} = fresh.id and (${products.rating}, ${products.ratingCount}) is distinct from (fresh.rating, fresh.count)
      returning 1
    )
    select tell_pages('stores') from rated limit 1
  `)
  const { rows } = await db.execute<{ id: string }>(
    sql`select distinct seller_id as id from ${products} where id = ${ids}`,
  )
  await rateShops(
    db,
    rows.map(({ id }) => id),
  )
}

/** Sets the ratings of shops to the mean of their rated products, 0 without any. */
export async function rateShops(db: Db | Tx, sellerIds: string[]): Promise<void> {
  await db.execute(sql`
    update ${sellers} set rating = fresh.rating
    from (
      select seller.id, coalesce(round(avg(product.rating) filter (where product.rating > 0)::numeric, 2), 0)::float8 as rating
      from ${sellers} seller left join ${products} product on product.seller_id = seller.id
      where seller.id = any (${sql.param(sellerIds)}::text[])
      group by seller.id
    ) fresh
    where ${sellers.id} = fresh.id and ${sellers.rating} is distinct from fresh.rating
  `)
}

/**
 * Deletes the option sets that no product uses. Throws, and deletes none, while a long transaction changes variants.
 */
export async function removeUnusedOptionSets(tx: Tx): Promise<void> {
  // A set that a transaction is about to use must not be deleted: `derive_products` takes a table lock that conflicts
  // with this one. The timeout is short, because orders wait behind this lock.
  await tx.execute(sql`set local lock_timeout = '1s'`)
  await tx.execute(sql`lock table ${optionSets} in exclusive mode`)
  await tx.execute(sql`
    delete from ${optionSets} where not exists (select from ${products} where ${products.optionSet} = ${optionSets.id})
  `)
}

/** Deletes expired sessions and mailed links. */
export async function sweepExpired(db: Db): Promise<void> {
  const now = new Date()
  await db.delete(sessions).where(lt(sessions.expiresAt, now))
  await db.delete(passwordResets).where(lt(passwordResets.expiresAt, now))
  await db.delete(emailConfirmations).where(lt(emailConfirmations.expiresAt, now))
  await db.delete(emailChanges).where(lt(emailChanges.expiresAt, now))
}

/** Updates the query planner's statistics. The embedded database never does this automatically. */
export async function refreshStatistics({ unhurried }: Pick<Database, 'unhurried'>): Promise<void> {
  await unhurried(async db => {
    await db.execute(sql`vacuum (analyze) ${products}`)
    await db.execute(sql`vacuum (analyze) ${searchWords}`)
    await db.execute(sql`analyze`)
  })
}
