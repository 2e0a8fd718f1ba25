import { sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/types.ts'
import { optionSets, orderLines, orders, products, returnLines, returns, sellerOrders } from '../db/schema.ts'
import { isAgreedCancellation } from './cancelled-units.ts'

/**
 * Counts the units of each product in paid orders of the last 90 days: those that were returned, too, but not those
 * that were cancelled. Writes only changed counts, and purges the pages whose order they change. Returns the number of changed products.
 */
export async function refreshUnitsSold(db: Db | Tx): Promise<number> {
  const { rows } = await db.execute<{ changed: number }>(sql`
    with cancelled as (
      select ${returnLines.lineId} as line_id, sum(${returnLines.quantity}) as units
      from ${returnLines} join ${returns} on ${returns.id} = ${returnLines.returnId}
      where ${isAgreedCancellation}
      group by ${returnLines.lineId}
    ), sold as (
      select ${orderLines.productId} as id,
        least(sum(${orderLines.quantity} - coalesce(cancelled.units, 0)), 2147483647)::int as units
      from ${orders}
      join ${sellerOrders} on ${sellerOrders.orderId} = ${orders.id}
      join ${orderLines} on ${orderLines.sellerOrderId} = ${sellerOrders.id}
      left join cancelled on cancelled.line_id = ${orderLines.id}
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
