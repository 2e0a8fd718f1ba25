import { and, eq, or, sql } from 'drizzle-orm'
import type { Product } from '#contract/product.ts'
import { withDeliveryDays } from '#contract/delivery.ts'
import type { ProductShop } from '#contract/shops.ts'
import type { ReviewPage } from '#contract/reviews.ts'
import { RELATED_PRODUCTS, SIDE_LIST_LENGTH } from '#contract/rules.ts'
import type { Db } from '../db/types.ts'
import { prepared } from '../db/prepared.ts'
import { products, sellers, type StoredPicture } from '../db/schema.ts'
import type { QueryCache } from './query-cache.ts'
import {
  isAvailable,
  isVisible,
  ORDERS,
  productColumns,
  type ProductRow,
  selectProducts,
  toProduct,
} from './products.ts'
import { orderableOfProduct, orderableUnits, toVariant } from './variants.ts'
import { lowestPrice } from './price-history.ts'
import { offsetOf, type StoredPage, storedReviewPage, toReviewPage } from './reviews.ts'
import { pictureAddress } from './pictures.ts'
import { NotFoundError } from '../platform/errors.ts'

const given = sql.placeholder

interface StoredVariant {
  id: string
  options: [name: string, value: string][]
  sku: string
  barcode: string
  priceCents: number
  discount: number
  units: number
  lowestCents: number | null
  picture: StoredPicture | null
}

const isAsked = or(eq(products.id, given('id')), eq(products.slug, given('id')))

// A single statement, because a product's page waits for it.
const oneProduct = prepared(db =>
  db
    .select({
      ...productColumns,
      shop: {
        picture: sellers.picture,
        isVerified: sellers.isVerified,
        rating: sellers.rating,
        replyHours: sellers.replyHours,
      },
      handlingDays: sellers.handlingDays,
      transitDays: sellers.transitDays,
      // One JSON value: parsing a PostgreSQL array of 2,048 elements takes 20 ms longer.
      variants: sql<StoredVariant[]>`coalesce((
        select json_agg(json_build_object('id', id, 'options', options, 'sku', sku, 'barcode', barcode,
          'priceCents', price_cents, 'discount', discount, 'units', ${orderableUnits}, 'lowestCents', ${lowestPrice},
          'picture', picture) order by position)
        from variants where product_id = products.id
      ), '[]')`,
      reviewPage: sql<StoredPage | null>`case when ${given('offset')}::bigint is not null then ${storedReviewPage} end`,
    })
    .from(products)
    .innerJoin(sellers, eq(sellers.id, products.sellerId))
    .where(and(isVisible, isAsked))
    // A slug may equal another product's id: then the id wins.
    .orderBy(sql`${products.id} = ${given('id')} desc`)
    .limit(1)
    .prepare('product'),
)

// Reads one more than is shown, because the product itself may be among them.
const topOfCategory = prepared(db =>
  selectProducts(db, {
    where: and(isAvailable, eq(products.category, given('category'))),
    order: ORDERS.topSelling,
    limit: RELATED_PRODUCTS + 1,
  }).prepare('top_of_category'),
)
const topSelling = prepared(db =>
  selectProducts(db, { where: isAvailable, order: ORDERS.topSelling, limit: RELATED_PRODUCTS + 1 }).prepare(
    'top_selling',
  ),
)
const topOfShop = prepared(db =>
  selectProducts(db, {
    where: eq(products.sellerId, given('sellerId')),
    order: ORDERS.topSelling,
    limit: SIDE_LIST_LENGTH + 1,
  }).prepare('top_of_shop'),
)

/**
 * A product with its variants, related products and, if `reviewPage` is given, that page of its reviews. `id` may be a
 * slug. Throws a `NotFoundError` for a hidden or missing product. `lists` caches related products, which products
 * share.
 */
export async function readProduct(
  db: Db,
  { id: asked, reviewPage }: { id: string; reviewPage?: number | undefined },
  lists: QueryCache<Product[]>,
): Promise<{
  product: Product
  related: Product[]
  fromSameShop: Product[]
  shop: ProductShop
  reviews?: ReviewPage
}> {
  const offset = reviewPage === undefined ? null : offsetOf(reviewPage)
  const [row] = await oneProduct(db).execute({ id: asked, offset })
  if (!row) throw new NotFoundError('Product not found')
  const { variants: storedVariants, reviewPage: reviews, shop, handlingDays, transitDays, ...columns } = row
  const { picture, ...facts } = shop
  const { id, category, sellerId } = columns
  const choices = storedVariants.filter(({ options }) => options.length > 0)
  const sold = choices.map(({ units, lowestCents, ...variant }) => ({
    ...toVariant(variant, units, columns.pictures),
    ...(lowestCents !== null && { lowestCents }),
  }))
  const plain = choices.length === 0 ? storedVariants[0] : undefined
  const others = async (key: unknown[], length: number, read: () => Promise<ProductRow[]>) => {
    const list = await lists.of(key, async () => (await read()).map(other => toProduct(other)))
    return list.filter(other => other._id !== id).slice(0, length)
  }
  const [sameCategory, fromSameShop] = await Promise.all([
    others(['category', category], RELATED_PRODUCTS, () => topOfCategory(db).execute({ category })),
    others(['shop', sellerId], SIDE_LIST_LENGTH, () => topOfShop(db).execute({ sellerId })),
  ])
  return {
    product: {
      ...toProduct(columns, sold),
      ...withDeliveryDays({ handlingDays, transitDays }),
      ...(plain?.sku && { sku: plain.sku }),
      ...(plain?.barcode && { barcode: plain.barcode }),
      ...(plain && plain.lowestCents !== null && { lowestCents: plain.lowestCents }),
    },
    related:
      sameCategory.length > 0 ? sameCategory : await others(['all'], RELATED_PRODUCTS, () => topSelling(db).execute()),
    fromSameShop,
    shop: { ...facts, image: pictureAddress(picture) ?? '' },
    ...(reviews && { reviews: toReviewPage(reviews) }),
  }
}

const stockOf = prepared(db =>
  db
    .select({
      stock: orderableOfProduct,
      variants: sql<{ _id: string; stock: number }[]>`coalesce((
        select json_agg(json_build_object('_id', id, 'stock', ${orderableUnits}) order by position)
        from variants where product_id = products.id and options <> '[]'::jsonb
      ), '[]')`,
    })
    .from(products)
    .where(and(isVisible, isAsked))
    .orderBy(sql`${products.id} = ${given('id')} desc`)
    .limit(1)
    .prepare('stock'),
)

/** The current stock, for a page that was stored earlier. */
export async function readAvailability(
  db: Db,
  idOrSlug: string,
): Promise<{ stock: number; variants: { _id: string; stock: number }[] }> {
  const [row] = await stockOf(db).execute({ id: idOrSlug })
  if (!row) throw new NotFoundError('Product not found')
  return row
}
