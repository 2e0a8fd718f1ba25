import { sql } from 'drizzle-orm'
import type { Db } from '../db/types.ts'
import type { Media } from '../media/store.ts'

/** The part of the picture store that `doctor` needs. */
export type StoredPictures = Pick<Media, 'list'>

interface Examined {
  /** Number of pictures that rows use but the store lacks. */
  missing: number
  /** Pictures that no row uses. Excludes those of the last hour, because a row may use them soon. */
  orphans: { path: string; bytes: number }[]
}

const JUST_NOW_MS = 60 * 60 * 1000
/** Pictures are compared in 16 parts, by the first character of their hash: there may be millions. */
const BEGINNINGS = '0123456789abcdef'.split('')

/** Slugs of products with a column that differs from the reviews, variants or shop it is derived from. */
export async function listMiscounted(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ slug: string }>(sql`
    select product.slug
    from products product
    join sellers on sellers.id = product.seller_id
    left join (
      select product_id, count(*)::int as count, round(avg(rating), 2)::float8 as rating from reviews where not is_hidden group by product_id
    ) reviewed on reviewed.product_id = product.id
    join derived_products(array(select id from products)) derived on derived.product_id = product.id
    where (product.rating, product.rating_count) is distinct from (coalesce(reviewed.rating, 0), coalesce(reviewed.count, 0))
      or product.shop_name <> sellers.shop_name
      or (product.price_cents, product.discount, product.compare_at_cents, product.highest_cents, product.is_available,
          product.variant_count, product.colour_count) is distinct from
        (derived.price_cents, derived.discount, derived.compare_at_cents, derived.highest_cents, derived.is_available,
          derived.variant_count, derived.colour_count)
      or (select variants from option_sets where id = product.option_set) is distinct from derived.buyable_options
    order by product.slug
  `)
  return rows.map(({ slug }) => slug)
}

/**
 * Slugs of products that violate the tables' constraints, for example because they were inserted by hand with the
 * constraints disabled.
 */
export async function findImpossible(db: Db): Promise<{ oversold: string[]; orphaned: string[] }> {
  const { rows } = await db.execute<{ slug: string; isOversold: boolean; isOrphaned: boolean }>(sql`
    select slug, is_oversold as "isOversold", is_orphaned as "isOrphaned"
    from products product, lateral (select
      exists (
        select from variants where product_id = product.id and stock < 0 and not sells_without_stock
      ) as is_oversold,
      not exists (select from sellers where id = product.seller_id)
        or not exists (select from categories where name = product.category) as is_orphaned
    ) found
    where is_oversold or is_orphaned
    order by slug
  `)
  const slugs = (are: (row: (typeof rows)[number]) => boolean) => rows.filter(are).map(({ slug }) => slug)
  return { oversold: slugs(row => row.isOversold), orphaned: slugs(row => row.isOrphaned) }
}

/** Compares the pictures that rows use with those in the store. */
export async function examinePictures(db: Db, stored: StoredPictures): Promise<Examined> {
  const examined: Examined = { missing: 0, orphans: [] }
  for (const beginning of BEGINNINGS) {
    const named = await namedPictures(db, beginning)
    const missing = new Set(named)
    for await (const { hash, hasOriginal, measure } of stored.list(beginning)) {
      if (hasOriginal) missing.delete(hash)
      const found = named.has(hash) ? null : await measure()
      if (found && Date.now() - found.changedAt.getTime() > JUST_NOW_MS) examined.orphans.push(found)
    }
    examined.missing += missing.size
  }
  return examined
}

/** Whether products have pictures but the store has none, as in a process that does not share the others' folder. */
export async function lacksPictures(db: Db, stored: StoredPictures): Promise<boolean> {
  for await (const _ of stored.list('')) return false
  const { rows } = await db.execute<{ found: boolean }>(
    sql`select exists (select from products where jsonb_array_length(pictures) > 0) as found`,
  )
  return rows[0]?.found ?? false
}

async function namedPictures(db: Db, beginning: string): Promise<Set<string>> {
  const { rows } = await db.execute<{ hash: string }>(sql`
    select distinct hash from (
      select picture from categories
      union all select picture from sellers
      union all select banner->'picture' from sellers
      union all select jsonb_array_elements(pictures) from products
      union all select banner->'picture' from products
      union all select picture from platform_banners
      union all select seen->'picture' from cart_lines
      union all select snapshot->'picture' from saved_lines
      union all select seen->'picture' from order_lines
      union all select about->'picture' from messages
    ) pictures (picture), lateral (values (picture->>'hash'), (picture->>'former')) named (hash)
    where hash like ${`${beginning}%`}
  `)
  return new Set(rows.map(({ hash }) => hash))
}
