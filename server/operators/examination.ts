import { sql } from 'drizzle-orm'
import type { Db } from '../db/types.ts'

/** Where pictures lie. */
export interface Held {
  has(hash: string): Promise<boolean>
  hashes(): AsyncIterable<string>
  /** The folder of a picture with all its renditions, what they take, and when the last of them came; null when it is gone. */
  measure(hash: string): Promise<{ path: string; bytes: number; changedAt: Date } | null>
}

interface Examined {
  /** How many pictures rows name that are not there. */
  missing: number
  /** Pictures that no row names; those that came just now may be about to be named. */
  orphans: { path: string; bytes: number }[]
}

const JUST_NOW_MS = 60 * 60 * 1000
/** Millions of pictures are compared in parts, by how their hashes begin. */
const BEGINNINGS = '0123456789abcdef'.split('')

/** The slugs of products whose ratings, review counts or shops' names differ from what they are derived from. */
export async function listMiscounted(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ slug: string }>(sql`
    select product.slug
    from products product
    join sellers on sellers.id = product.seller_id
    left join (
      select product_id, count(*)::int as count, round(avg(rating), 2)::float8 as rating from reviews where not is_hidden group by product_id
    ) reviewed on reviewed.product_id = product.id
    where (product.rating, product.rating_count) is distinct from (coalesce(reviewed.rating, 0), coalesce(reviewed.count, 0))
      or product.shop_name <> sellers.shop_name
    order by product.slug
  `)
  return rows.map(({ slug }) => slug)
}

/** The slugs of products that the tables do not take, but hold where rows came in by hand with the rules put aside. */
export async function findImpossible(db: Db): Promise<{ oversold: string[]; orphaned: string[] }> {
  const { rows } = await db.execute<{ slug: string; isOversold: boolean; isOrphaned: boolean }>(sql`
    select slug, is_oversold as "isOversold", is_orphaned as "isOrphaned"
    from products product, lateral (select
      product.stock < 0 as is_oversold,
      not exists (select from sellers where id = product.seller_id)
        or not exists (select from categories where name = product.category) as is_orphaned
    ) found
    where is_oversold or is_orphaned
    order by slug
  `)
  const slugs = (are: (row: (typeof rows)[number]) => boolean) => rows.filter(are).map(({ slug }) => slug)
  return { oversold: slugs(row => row.isOversold), orphaned: slugs(row => row.isOrphaned) }
}

/** Compares the pictures that rows name with those that are there. */
export async function examinePictures(db: Db, held: Held): Promise<Examined> {
  const examined: Examined = { missing: 0, orphans: [] }
  for (const beginning of BEGINNINGS) {
    const named = await namedPictures(db, beginning)
    for await (const hash of held.hashes()) {
      const found = !hash.startsWith(beginning) || named.has(hash) ? null : await held.measure(hash)
      if (found && Date.now() - found.changedAt.getTime() > JUST_NOW_MS) examined.orphans.push(found)
    }
    for (const hash of named) if (!(await held.has(hash))) examined.missing += 1
  }
  return examined
}

async function namedPictures(db: Db, beginning: string): Promise<Set<string>> {
  const { rows } = await db.execute<{ hash: string }>(sql`
    select distinct picture->>'hash' as hash from (
      select picture from categories
      union all select picture from sellers
      union all select banner->'picture' from sellers
      union all select jsonb_array_elements(pictures) from products
      union all select banner->'picture' from products
      union all select picture from platform_banners
      union all select seen->'picture' from cart_lines
      union all select seen->'picture' from order_lines
    ) pictures (picture)
    where picture->>'hash' like ${`${beginning}%`}
  `)
  return new Set(rows.map(({ hash }) => hash))
}
