import { and, max, min, sql } from 'drizzle-orm'
import type { Category } from '#contract/catalogue.ts'
import { DEFAULT_PRICE_RANGE, SIDE_LIST_LENGTH, TOP_PRODUCTS } from '#contract/rules.ts'
import type { Db } from '../db/types.ts'
import { prepared } from '../db/prepared.ts'
import { categories, products, sellers } from '../db/schema.ts'
import { categoryPicture } from './category-pictures.ts'
import { isAvailable, isVisible, ORDERS, selectProducts, toProduct } from './products.ts'

const byName = new Intl.Collator('en').compare

/** Stops counting a category's products here, so that large catalogues take no longer. */
const MAX_COUNTED = 1000

const countedCategories = prepared(db =>
  db
    .select({
      name: categories.name,
      picture: categories.picture,
      productCount: sql<number>`(
        select count(*)::int from (
          select from ${products} product
          where product.is_visible and product.category = ${sql.raw('"categories"."name"')}
          limit ${sql.raw(String(MAX_COUNTED))}
        ) counted
      )`,
    })
    .from(categories)
    .prepare('categories'),
)

/** The categories with visible products, by name. */
export async function readCategories(db: Db): Promise<Category[]> {
  const rows = await countedCategories(db).execute()
  return rows
    .filter(({ productCount }) => productCount > 0)
    .map(({ productCount, ...category }) => ({ name: category.name, image: categoryPicture(category), productCount }))
    .toSorted((one, other) => byName(one.name, other.name))
}

// Sold-out products are not recommended.
const topSelling = prepared(db =>
  selectProducts(db, { where: isAvailable, order: ORDERS.topSelling, limit: TOP_PRODUCTS }).prepare('top'),
)
const latest = prepared(db =>
  selectProducts(db, { where: isAvailable, order: ORDERS.newest, limit: SIDE_LIST_LENGTH }).prepare('latest'),
)
const topRated = prepared(db =>
  selectProducts(db, {
    where: and(isAvailable, sql`${products.rating} > 0`),
    order: ORDERS['best-rated'],
    limit: SIDE_LIST_LENGTH,
  }).prepare('rated'),
)
const onDiscount = prepared(db =>
  selectProducts(db, {
    where: and(isAvailable, sql`${products.shownDiscount} > 0`),
    order: ORDERS['biggest-discount'],
    limit: SIDE_LIST_LENGTH,
  }).prepare('discounted'),
)

/** The lists of the home page. */
export async function readHomeProducts(db: Db) {
  const lists = [topSelling, latest, topRated, onDiscount].map(list => list(db).execute())
  const [top = [], newest = [], rated = [], discounted = []] = await Promise.all(lists)
  return {
    products: top.map(row => toProduct(row)),
    latest: newest.map(row => toProduct(row)),
    topRated: rated.map(row => toProduct(row)),
    onDiscount: discounted.map(row => toProduct(row)),
  }
}

const priceRange = prepared(db =>
  db
    .select({ low: min(products.finalCents), high: max(products.finalCents) })
    .from(products)
    .where(isVisible)
    .prepare('price_range'),
)

/**
 * Data for the side of each listing: the newest products that can be bought, the price range of all visible products in
 * whole dollars, and the countries that any shop ships to, by name.
 */
export async function readPriceRange(db: Db) {
  const [newest, [range], { rows }] = await Promise.all([
    latest(db).execute(),
    priceRange(db).execute(),
    db.execute<{ country: string }>(sql`
      select distinct jsonb_object_keys(shipping_rates) as country from ${sellers} where not is_hidden order by 1
    `),
  ])
  const { low, high } = range ?? {}
  return {
    latest: newest.map(row => toProduct(row)),
    priceRange:
      low == null || high == null ? DEFAULT_PRICE_RANGE : { low: Math.floor(low / 100), high: Math.ceil(high / 100) },
    destinations: rows.map(({ country }) => country),
  }
}
