import type { Db } from '#server/db/types.ts'
import type { ShippingCents, StoredBanner, StoredPicture } from '#server/db/schema.ts'
import { sumBy } from '#server/platform/sum.ts'
import { findPlatformBanners } from '../banners.ts'
import type { StoredVariant } from './drafts.ts'
import { productsOf, readCategories, readShops, type StoredWhole } from './export.ts'
import type { SellerRow } from '#server/db/schema.ts'

/** The catalogue in Piazza's own format, in pieces: a JSON array with one record per line. */
export async function* exportJson(db: Db): AsyncGenerator<string> {
  let count = 0
  const line = (record: object) => (count++ === 0 ? '[\n' : ',\n') + JSON.stringify(record)
  const lines = (records: object[]) => records.map(line).join('')
  const banners = await findPlatformBanners(db)
  if (banners.length > 0) yield lines([{ type: 'carousel', banners: banners.map(({ banner }) => bannerOf(banner)) }])
  yield lines(
    (await readCategories(db)).map(({ name, picture }) => ({ type: 'category', name, picture: pictureOf(picture) })),
  )
  const shops = await readShops(db)
  yield lines(shops.map(shopRecord))
  for (const shop of shops) {
    for await (const batch of productsOf(db, shop)) yield lines(batch.map(productRecord))
  }
  yield count === 0 ? '[]\n' : '\n]\n'
}

function shopRecord(shop: SellerRow) {
  return {
    type: 'shop',
    name: shop.shopName,
    description: shop.description,
    verified: shop.isVerified,
    ai: shop.hasAi,
    hidden: shop.isHidden,
    email: shop.email,
    address: shop.address,
    shipping: inDollars(shop.shippingRates),
    handlingDays: shop.handlingDays,
    transitDays: sorted(shop.transitDays),
    refundsShipping: shop.refundsShipping,
    picture: pictureOf(shop.picture),
    banner: bannerOf(shop.banner),
    createdAt: shop.createdAt,
  }
}

function productRecord({ product, variants }: StoredWhole) {
  const { handle, slug, name, category, brand, description, tags } = product
  const [first] = variants
  // For a product with variants, the import ignores these figures: they are for people who read the file.
  const { priceCents, discount, compareAtCents, stock } = first ?? { ...product, stock: 0 }
  return {
    type: 'product',
    shop: product.shopName,
    handle,
    slug,
    name,
    category,
    brand,
    price: priceCents / 100,
    discount,
    compareAtPrice: compareAtCents === null ? null : compareAtCents / 100,
    stock: variants.length > 1 ? sumBy(variants, variant => Math.max(0, variant.stock)) : Math.max(0, stock),
    description,
    tags,
    pictures: product.pictures.map(pictureOf),
    variants: variants.some(hasOwnData) ? variants.map(variantRecord) : [],
    hidden: product.isHidden,
    promoted: product.isPromoted,
    banner: bannerOf(product.banner),
    shipping: inDollars(product.shippingPrices),
    createdAt: product.createdAt,
  }
}

/** Whether a variant has more than the price and stock of its product. */
function hasOwnData({ options, sku, barcode, sellsWithoutStock, weightGrams, picture, extra }: StoredVariant): boolean {
  const isNamed = options.length > 0 || sku !== '' || barcode !== ''
  return isNamed || sellsWithoutStock || weightGrams !== null || picture !== null || Object.keys(extra).length > 0
}

function variantRecord(variant: StoredVariant) {
  const { options, sku, barcode, priceCents, discount, compareAtCents, stock } = variant
  return {
    options,
    sku,
    barcode,
    price: priceCents / 100,
    discount,
    compareAtPrice: compareAtCents === null ? null : compareAtCents / 100,
    stock,
    sellsWithoutStock: variant.sellsWithoutStock,
    weightGrams: variant.weightGrams,
    picture: pictureOf(variant.picture),
    extra: sorted(variant.extra),
  }
}

// Sorted, because jsonb does not keep the order of keys and the same catalogue must give the same file.
function sorted<Value>(fields: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function inDollars(rates: ShippingCents): Record<string, number> {
  return sorted(Object.fromEntries(Object.entries(rates).map(([country, cents]) => [country, cents / 100])))
}

function pictureOf(picture: StoredPicture | null): StoredPicture | null {
  if (!picture) return null
  const { hash, source, alt } = picture
  return { ...(hash && { hash }), ...(source && { source }), ...(alt && { alt }) }
}

function bannerOf(banner: StoredBanner | null) {
  if (!banner) return null
  const { title, description, link, picture } = banner
  return { title, description, ...(link && { link }), picture: pictureOf(picture) }
}
