import { and, eq, ne, or, sql } from 'drizzle-orm'
import type { Product } from '#contract/catalog.ts'
import { RELATED_PRODUCTS, SIDE_LIST_LENGTH } from '#contract/rules.ts'
import type { Db } from '../db/open.ts'
import { prepared } from '../db/prepared.ts'
import { products, sellers, variants } from '../db/schema.ts'
import { Refusal } from '../errors.ts'
import { isVisible, ORDERS, productColumns, selectProducts, toProduct } from './products.ts'

const given = sql.placeholder

interface StoredVariant {
  options: [name: string, value: string][]
  priceCents: number
  stock: number
}

const isAsked = or(eq(products.id, given('id')), eq(products.slug, given('id')))

const oneProduct = prepared(db =>
  db
    .select({
      ...productColumns,
      variants: sql<StoredVariant[]>`array(
        select jsonb_build_object('options', options, 'priceCents', price_cents, 'stock', stock)
        from ${variants} where product_id = ${products.id} and options <> '[]'::jsonb order by position
      )`,
    })
    .from(products)
    .innerJoin(sellers, eq(sellers.id, products.sellerId))
    .where(and(isVisible, isAsked))
    // A slug may be another product's id: the id counts first.
    .orderBy(sql`${products.id} = ${given('id')} desc`)
    .limit(1)
    .prepare('product'),
)

const isOther = ne(products.id, given('id'))
const related = prepared(db =>
  selectProducts(db, {
    where: and(isOther, eq(products.category, given('category'))),
    order: ORDERS.topSelling,
    limit: RELATED_PRODUCTS,
  }).prepare('related'),
)
const otherTopSelling = prepared(db =>
  selectProducts(db, { where: isOther, order: ORDERS.topSelling, limit: RELATED_PRODUCTS }).prepare('other_top'),
)
const fromSameShop = prepared(db =>
  selectProducts(db, {
    where: and(isOther, eq(products.sellerId, given('sellerId'))),
    order: ORDERS.topSelling,
    limit: SIDE_LIST_LENGTH,
  }).prepare('same_shop'),
)

/** A product with its variants, and what to show beside it. `idOrSlug` of a hidden or missing one is refused with 404. */
export async function readProduct(
  db: Db,
  idOrSlug: string,
): Promise<{ product: Product; related: Product[]; fromSameShop: Product[] }> {
  const [row] = await oneProduct(db).execute({ id: idOrSlug })
  if (!row) throw new Refusal(404, 'Product not found')
  const { variants: kinds, ...columns } = row
  const { id, category, sellerId } = columns
  const [alike, ofShop] = await Promise.all([
    related(db).execute({ id, category }),
    fromSameShop(db).execute({ id, sellerId }),
  ])
  const beside = alike.length > 0 ? alike : await otherTopSelling(db).execute({ id })
  return {
    product: toProduct(
      columns,
      kinds.map(kind => ({ ...kind, options: Object.fromEntries(kind.options) })),
    ),
    related: beside.map(other => toProduct(other)),
    fromSameShop: ofShop.map(other => toProduct(other)),
  }
}

const stockOf = prepared(db =>
  db
    .select({ stock: products.stock })
    .from(products)
    .where(and(isVisible, isAsked))
    .orderBy(sql`${products.id} = ${given('id')} desc`)
    .limit(1)
    .prepare('stock'),
)

/** How many there are now, for a page that was stored earlier. */
export async function readAvailability(db: Db, idOrSlug: string): Promise<{ stock: number }> {
  const [row] = await stockOf(db).execute({ id: idOrSlug })
  if (!row) throw new Refusal(404, 'Product not found')
  return row
}
