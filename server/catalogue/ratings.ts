import { sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/types.ts'
import { products, reviews, sellers } from '../db/schema.ts'

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

/** Sets the ratings of shops to the mean of their rated products that are not hidden, 0 without any. */
export async function rateShops(db: Db | Tx, sellerIds: string[]): Promise<void> {
  await db.execute(sql`
    update ${sellers} set rating = fresh.rating
    from (
      select seller.id, coalesce(round(avg(product.rating) filter (where product.rating > 0)::numeric, 2), 0)::float8 as rating
      from ${sellers} seller left join ${products} product on product.seller_id = seller.id and not product.is_hidden
      where seller.id = any (${sql.param(sellerIds)}::text[])
      group by seller.id
    ) fresh
    where ${sellers.id} = fresh.id and ${sellers.rating} is distinct from fresh.rating
  `)
}
