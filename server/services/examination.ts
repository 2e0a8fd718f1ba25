import { asc, gt, sql } from 'drizzle-orm'
import type { Db } from '../db/open.ts'
import { products } from '../db/schema.ts'

const PAGE = 500

/** How many products' ratings, review counts or shops' names differ from what they are derived from. */
export async function countMiscounted(db: Db): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*)::int as count
    from products product
    join sellers on sellers.id = product.seller_id
    left join (
      select product_id, count(*)::int as count, round(avg(rating), 2)::float8 as rating from reviews group by product_id
    ) reviewed on reviewed.product_id = product.id
    where (product.rating, product.rating_count) is distinct from (coalesce(reviewed.rating, 0), coalesce(reviewed.count, 0))
      or product.shop_name <> sellers.shop_name
  `)
  return rows[0]?.count ?? 0
}

/** How many pictures products name that are not stored. */
export async function missingPictures(db: Db, has: (hash: string) => Promise<boolean>): Promise<number> {
  let missing = 0
  for (let last = ''; ;) {
    const rows = await db
      .select({ id: products.id, pictures: products.pictures })
      .from(products)
      .where(gt(products.id, last))
      .orderBy(asc(products.id))
      .limit(PAGE)
    for (const { hash } of rows.flatMap(({ pictures }) => pictures)) if (hash && !(await has(hash))) missing += 1
    if (rows.length < PAGE) return missing
    last = rows.at(-1)?.id ?? last
  }
}
